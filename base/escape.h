/* SPDX-License-Identifier: MIT */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

/*
 * Makes bytes that a submission could influence fit to be shown.
 *
 * Control characters but newline and tab, DEL, the C1 controls, the bidi
 * controls, the line separators U+2028 and U+2029, and bytes that are no valid
 * UTF-8 come out as \xHH, a byte each; everything else comes out as it is.
 * With ascii set so does every byte above 0x7e.
 */

#include <stdbool.h>
#include <stddef.h>

struct text;

void escape_put(struct text *out, const char *data, size_t len, bool ascii);

/* The same on one line: newline and tab are escaped as well. */
void escape_put_line(
	struct text *out, const char *data, size_t len, bool ascii);

/*
 * The length of the valid UTF-8 sequence that data starts with (1 to 4), or 0
 * where it starts with none; *code_out gets its code point.  len is above 0.
 */
size_t escape_utf8(const char *data, size_t len, unsigned int *code_out);

#endif
