/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_EXCERPT_H
#define GRADER_REPORT_EXCERPT_H

/*
 * A line of a submission with its number, and a caret under one column:
 *
 *	    23 |         sum += K[j][c];
 *	       |                ^
 *
 * The bytes are escaped, tabs are spread to every eighth column as editors do,
 * and a line that is too long is cut to what stands around the caret.
 */

#include <stdbool.h>
#include <stddef.h>

struct style;
struct text;

struct excerpt {
	int line;           /* its number, from 1 */
	const char *source; /* that line, with or without its newline */
	size_t len;
	int column; /* in bytes, from 1; 0: no caret */
};

/* Sets source and len to line number line of a whole source; false if it has
   not so many lines. */
bool excerpt_find(struct excerpt *excerpt, const char *source, size_t len);

void excerpt_put(struct text *out, const struct style *style,
	const struct excerpt *excerpt);

#endif
