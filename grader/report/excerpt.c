/* SPDX-License-Identifier: MIT */
#include "grader/report/excerpt.h"

#include "base/escape.h"
#include "base/text.h"
#include "grader/report/style.h"

#include <string.h>

enum {
	TAB_COLUMNS = 8,
	ROOM_MIN = 40,     /* columns of source, however narrow the screen */
	MARGIN_WIDTH = 11, /* of the number and the bar */
};

bool excerpt_find(struct excerpt *excerpt, const char *source, size_t len)
{
	const char *end = source + len;

	for (int line = 1; source < end; line++) {
		const char *newline =
			memchr(source, '\n', (size_t)(end - source));
		const char *stop = newline ? newline : end;

		if (line == excerpt->line) {
			excerpt->source = source;
			excerpt->len = (size_t)(stop - source);
			return true;
		}
		source = stop + 1;
	}
	return false;
}

/* What the bytes from i on look like: one character, spread or escaped. */
struct cell {
	size_t bytes;
	size_t columns;
	char shown[20];
};

static struct cell read_cell(const struct excerpt *excerpt, size_t i,
	size_t column, const struct style *style)
{
	const char *data = excerpt->source + i;
	unsigned int code;
	struct cell cell = {0};
	struct text text = {0};

	if (*data == '\t') {
		cell.bytes = 1;
		cell.columns = TAB_COLUMNS - column % TAB_COLUMNS;
		memset(cell.shown, ' ', cell.columns);
		return cell;
	}
	if (*data >= ' ' && *data <= '~') {
		cell.bytes = cell.columns = 1;
		cell.shown[0] = *data;
		return cell;
	}
	cell.bytes = escape_utf8(data, excerpt->len - i, &code);
	if (cell.bytes == 0)
		cell.bytes = 1;
	/* At most four bytes of four characters each. */
	escape_put_line(&text, data, cell.bytes, style->ascii);
	if (text.data && text.len < sizeof(cell.shown))
		memcpy(cell.shown, text.data, text.len);
	cell.columns = style_columns(cell.shown, strlen(cell.shown));
	text_finish(&text);
	return cell;
}

/* The columns in front of byte number end. */
static size_t columns_before(
	const struct excerpt *excerpt, size_t end, const struct style *style)
{
	size_t column = 0;

	for (size_t i = 0; i < end && i < excerpt->len;) {
		struct cell cell = read_cell(excerpt, i, column, style);

		i += cell.bytes;
		column += cell.columns;
	}
	return column;
}

static void put_columns(struct text *out, const struct style *style,
	const struct excerpt *excerpt, size_t from, size_t to)
{
	size_t column = 0;

	for (size_t i = 0; i < excerpt->len && column < to;) {
		struct cell cell = read_cell(excerpt, i, column, style);

		/* What straddles the cut leaves blanks, so that the caret
		   stands right. */
		if (column >= from)
			text_puts(out, cell.shown);
		else
			for (size_t k = from; k < column + cell.columns; k++)
				text_putc(out, ' ');
		i += cell.bytes;
		column += cell.columns;
	}
}

/* The bar of the margin, behind a number or, for 0, behind none. */
static void put_margin(struct text *out, const struct style *style, int line)
{
	style_begin(out, style, PAINT_DIM);
	if (line > 0)
		text_printf(out, "  %6d |", line);
	else
		text_printf(out, "  %6s |", "");
	style_end(out, style);
	text_putc(out, ' ');
}

static void put_caret(
	struct text *out, const struct style *style, size_t column)
{
	put_margin(out, style, 0);
	for (size_t i = 0; i < column; i++)
		text_putc(out, ' ');
	style_begin(out, style, PAINT_GREEN);
	text_putc(out, '^');
	style_end(out, style);
	text_putc(out, '\n');
}

void excerpt_put(struct text *out, const struct style *style,
	const struct excerpt *excerpt)
{
	const char *cut = style_symbol(style, SYMBOL_CUT);
	struct excerpt line = *excerpt;
	size_t room = style->width > ROOM_MIN + MARGIN_WIDTH
		? (size_t)style->width - MARGIN_WIDTH
		: ROOM_MIN;
	size_t caret, from = 0;

	while (line.len > 0 &&
		(line.source[line.len - 1] == '\n' ||
			line.source[line.len - 1] == '\r'))
		line.len--;
	caret = columns_before(
		&line, line.column > 0 ? (size_t)line.column - 1 : 0, style);
	if (caret >= room)
		from = caret - room / 2;

	put_margin(out, style, line.line);
	if (from > 0)
		text_puts(out, cut);
	put_columns(out, style, &line, from, from + room);
	if (columns_before(&line, line.len, style) > from + room)
		text_puts(out, cut);
	text_putc(out, '\n');
	if (line.column > 0)
		put_caret(out, style,
			caret - from +
				(from > 0 ? style_columns(cut, strlen(cut))
					  : 0));
}
