/* SPDX-License-Identifier: MIT */
#include "grader/report/fold.h"

#include "base/text.h"
#include "grader/report/style.h"

#include <string.h>

/* Of the line that out ends with. */
static size_t columns_so_far(const struct text *out)
{
	size_t start = out->len;

	while (start > 0 && out->data[start - 1] != '\n')
		start--;
	return out->len > start
		? style_columns(out->data + start, out->len - start)
		: 0;
}

bool fold_fits(
	const struct text *out, const struct style *style, size_t columns)
{
	return !style->fold ||
		columns_so_far(out) + columns <= (size_t)style->width;
}

static void start_line(struct text *out, size_t indent)
{
	text_putc(out, '\n');
	for (size_t i = 0; i < indent; i++)
		text_putc(out, ' ');
}

void fold_put(struct text *out, const struct style *style, size_t indent,
	const char *words, size_t len)
{
	const char *end = words + len;
	bool first = true;

	while (words < end) {
		const char *blank = memchr(words, ' ', (size_t)(end - words));
		size_t word = (size_t)((blank ? blank : end) - words);
		size_t columns = style_columns(words, word);

		if (!first && !fold_fits(out, style, 1 + columns))
			start_line(out, indent);
		else if (!first)
			text_putc(out, ' ');
		text_put(out, words, word);
		words += word + (blank != NULL);
		first = false;
	}
}

/* Lines of the screen that a line takes, if it is wider than that. */
static size_t rows_of_line(
	const struct style *style, const char *line, size_t len)
{
	size_t columns = style_columns(line, len);
	size_t width = (size_t)style->width;

	if (!style->fold || columns <= width)
		return 1;
	return (columns + width - 1) / width;
}

void fold_cut(
	struct text *out, const struct style *style, size_t start, size_t rows)
{
	size_t at = start, used = 0;
	size_t last = start; /* where the line that says so would stand */

	if (rows == 0 || !out->data)
		return;
	while (at < out->len) {
		size_t len = strcspn(out->data + at, "\n");

		used += rows_of_line(style, out->data + at, len);
		if (used > rows)
			break;
		at += len + (out->data[at + len] == '\n');
		if (used < rows)
			last = at;
	}
	if (at >= out->len)
		return;
	out->len = last;
	out->data[last] = '\0';
	text_printf(out, "  %s\n", style_symbol(style, SYMBOL_CUT));
}
