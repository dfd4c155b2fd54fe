/* SPDX-License-Identifier: MIT */
#include "grader/report/table.h"

#include "base/text.h"
#include "grader/report/inline.h"
#include "grader/report/style.h"

#include <string.h>

/* Part of a line. */
struct span {
	const char *data;
	size_t len;
};

static struct span trim(struct span span)
{
	while (span.len > 0 && strchr(" \t\r\n", span.data[0])) {
		span.data++;
		span.len--;
	}
	while (span.len > 0 && strchr(" \t\r\n", span.data[span.len - 1]))
		span.len--;
	return span;
}

/* Line number line, from 1, without its margin. */
static struct span find_line(struct table *table, int line)
{
	const char *end = table->source + table->len;

	if (!table->at || line < table->at_line) {
		table->at = table->source;
		table->at_line = 1;
	}
	while (table->at < end) {
		const char *newline =
			memchr(table->at, '\n', (size_t)(end - table->at));
		const char *stop = newline ? newline : end;

		if (table->at_line == line) {
			size_t len = (size_t)(stop - table->at);
			size_t margin =
				len < table->margin ? len : table->margin;

			return trim((struct span){
				table->at + margin, len - margin});
		}
		table->at = newline ? newline + 1 : end;
		table->at_line++;
	}
	return (struct span){end, 0};
}

/* Cuts the next cell off a row; a pipe in code or behind a backslash is none
   that divides. */
static bool next_cell(struct span *row, struct span *cell)
{
	bool code = false;
	size_t i = 0;

	if (row->len == 0)
		return false;
	for (; i < row->len && (row->data[i] != '|' || code); i++) {
		if (row->data[i] == '`')
			code = !code;
		else if (row->data[i] == '\\' && i + 1 < row->len)
			i++;
	}
	if (i > row->len)
		i = row->len;
	*cell = trim((struct span){row->data, i});
	i += i < row->len;
	row->data += i;
	row->len -= i;
	return true;
}

static struct span start_row(struct table *table, int line)
{
	struct span row = find_line(table, line);

	if (row.len > 0 && row.data[0] == '|') {
		row.data++;
		row.len--;
	}
	return row;
}

/* ":---:" and its kin. */
static bool is_rule(struct span cell)
{
	size_t dashes = 0;

	for (size_t i = 0; i < cell.len; i++) {
		bool end = i == 0 || i + 1 == cell.len;

		if (cell.data[i] == '-')
			dashes++;
		else if (cell.data[i] != ':' || !end)
			return false;
	}
	return dashes > 0;
}

bool table_find(struct table *table, const char *source, size_t len,
	cmark_node *paragraph)
{
	struct span row, cell;
	size_t n_heads = 0;

	*table = (struct table){
		.source = source,
		.len = len,
		.first_line = cmark_node_get_start_line(paragraph),
		.last_line = cmark_node_get_end_line(paragraph),
		.margin = (size_t)cmark_node_get_start_column(paragraph) - 1,
	};
	if (table->last_line <= table->first_line)
		return false;
	row = find_line(table, table->first_line + 1);
	if (!memchr(row.data, '|', row.len))
		return false;
	row = start_row(table, table->first_line + 1);
	while (next_cell(&row, &cell)) {
		if (table->n_columns == TABLE_COLUMNS_MAX || !is_rule(cell))
			return false;
		table->right[table->n_columns++] =
			cell.data[cell.len - 1] == ':' && cell.data[0] != ':';
	}
	row = start_row(table, table->first_line);
	while (next_cell(&row, &cell))
		n_heads++;
	return n_heads == table->n_columns;
}

size_t table_rows(const struct table *table)
{
	return (size_t)(table->last_line - table->first_line) + 1;
}

static void put_cell(struct text *out, const struct style *style,
	struct table *table, size_t row, size_t column)
{
	struct span rest = start_row(table, table->first_line + (int)row);
	struct span cell = {"", 0};

	for (size_t i = 0; i <= column; i++)
		if (!next_cell(&rest, &cell))
			return;
	inline_put_source(out, style, cell.data, cell.len, row == 0);
}

/* The columns that one cell takes. */
static size_t measure_cell(const struct style *style, struct table *table,
	size_t row, size_t column)
{
	struct text cell = {0};
	size_t columns;

	put_cell(&cell, style, table, row, column);
	columns = cell.data ? style_columns(cell.data, cell.len) : 0;
	text_finish(&cell);
	return columns;
}

void table_measure(struct table *table, const struct style *style)
{
	for (size_t column = 0; column < table->n_columns; column++)
		table->widths[column] = 1;
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t c = 0; row != 1 && c < table->n_columns; c++) {
			size_t columns = measure_cell(style, table, row, c);

			if (columns > table->widths[c])
				table->widths[c] = columns;
		}
	}
}

void table_put_row(struct text *out, const struct style *style,
	struct table *table, size_t row)
{
	for (size_t column = 0; column < table->n_columns; column++) {
		size_t width = table->widths[column];
		size_t taken = measure_cell(style, table, row, column);
		size_t start;

		if (column > 0)
			text_puts(out, "  ");
		start = out->len;
		if (row == 1) {
			for (size_t i = 0; i < width; i++)
				text_puts(
					out, style_symbol(style, SYMBOL_RULE));
			continue;
		}
		if (table->right[column])
			style_pad(out, start, width - taken);
		put_cell(out, style, table, row, column);
		if (column + 1 < table->n_columns)
			style_pad(out, start, width);
	}
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}
