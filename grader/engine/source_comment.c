/* SPDX-License-Identifier: MIT */
#include "grader/engine/source_comment.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, TAB = 8 };

static size_t columns_of(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\t')
			columns += TAB;
		else if (((unsigned char)text[i] & 0xc0) != 0x80)
			columns++; /* not inside of a UTF-8 sequence */
	}
	return columns;
}

static void put_word(struct text *out, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool marks = i > 0 &&
			((word[i - 1] == '*' && word[i] == '/') ||
				(word[i - 1] == '/' && word[i] == '*'));

		if (marks)
			text_putc(out, ' ');
		text_putc(out, word[i]);
	}
}

/* Words, filled into lines: the first starts with first, others with next. */
static void put_filled(
	struct text *out, const char *first, const char *next, const char *says)
{
	size_t used = columns_of(first, strlen(first));
	bool start = true;

	text_puts(out, first);
	for (const char *at = says; *at;) {
		size_t len = strcspn(at, " \t\r\n");
		size_t columns = columns_of(at, len);

		if (len == 0) {
			at++;
			continue;
		}
		if (!start && used + 1 + columns > COLUMNS) {
			text_printf(out, "\n%s", next);
			used = columns_of(next, strlen(next));
			start = true;
		}
		if (!start)
			text_putc(out, ' ');
		put_word(out, at, len);
		used += columns + !start;
		start = false;
		at += len;
	}
}

void comment_put_lines(struct text *out, const char *prefix, const char *says)
{
	put_filled(out, prefix, prefix, says);
	text_putc(out, '\n');
}

void comment_put_entry(
	struct text *out, const char *name, const char *says, int width)
{
	char first[128];
	char next[128];

	snprintf(first, sizeof(first), " * %-*s  ", width, name);
	snprintf(next, sizeof(next), " * %-*s  ", width, "");
	put_filled(out, first, next, says);
	text_putc(out, '\n');
}

void comment_put(struct text *out, const char *indent, const char *says)
{
	char first[32];
	char next[32];

	snprintf(first, sizeof(first), "%s/* ", indent);
	snprintf(next, sizeof(next), "%s   ", indent);
	put_filled(out, first, next, says);
	text_puts(out, " */\n");
}
