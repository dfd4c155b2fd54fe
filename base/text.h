/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/*
 * Text that grows as it is written.
 *
 * Start from {0}.  Running out of memory is remembered, like a stream's error,
 * and asked for once at the end: text_check().
 */

#include <stdbool.h>
#include <stddef.h>

struct error;

struct text {
	char *data; /* NUL-terminated; NULL while nothing was written */
	size_t len;
	size_t size;
	bool failed;
};

void text_finish(struct text *text);

void text_put(struct text *text, const char *data, size_t len);
void text_puts(struct text *text, const char *string);
void text_putc(struct text *text, char c);
void text_printf(struct text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* False, and err set, if any of the writes ran out of memory. */
bool text_check(const struct text *text, struct error *err)
	__attribute__((warn_unused_result));

static inline void cleanup_text(struct text *text)
{
	text_finish(text);
}

#endif
