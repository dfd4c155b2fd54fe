/* SPDX-License-Identifier: MIT */
#include "grader/report/page.h"

#include "base/text.h"
#include "grader/report/inline.h"
#include "grader/report/style.h"
#include "grader/report/table.h"

#include <cmark.h>
#include <string.h>

enum {
	WIDTH_MIN = 20,
	TAB_COLUMNS = 8,
	CODE_INDENT = 4,
	DEPTH_MAX = 40, /* of blocks in blocks: no reader follows so far */
};

struct page {
	struct text *out;
	const struct style *style;
	const char *source;
	size_t len;
	struct text prefix;  /* in front of every line of the block */
	struct text pending; /* in front of its first line, if not empty */
	size_t depth;
};

static void put_blocks(struct page *page, cmark_node *parent);

/* Lines ----------------------------------------------------------------- */

static void start_line(struct page *page)
{
	struct text *start =
		page->pending.len > 0 ? &page->pending : &page->prefix;

	if (start->len > 0)
		text_put(page->out, start->data, start->len);
	page->pending.len = 0;
}

static void put_blank_line(struct page *page)
{
	size_t len = page->prefix.len;

	while (len > 0 && page->prefix.data[len - 1] == ' ')
		len--;
	if (len > 0)
		text_put(page->out, page->prefix.data, len);
	text_putc(page->out, '\n');
}

static void cut_back(struct text *text, size_t len)
{
	text->len = len;
	if (text->data)
		text->data[len] = '\0';
}

/* How long page->prefix and page->pending were. */
struct front {
	size_t prefix;
	size_t pending;
};

/* What stands in front of a block from here on; first is for its first line.
   Returns what leave() takes. */
static struct front enter(
	struct page *page, const char *first, const char *rest)
{
	struct front before = {page->prefix.len, page->pending.len};

	if (page->pending.len == 0 && page->prefix.len > 0)
		text_put(&page->pending, page->prefix.data, page->prefix.len);
	text_puts(&page->pending, first);
	text_puts(&page->prefix, rest);
	return before;
}

static void leave(struct page *page, struct front before)
{
	cut_back(&page->prefix, before.prefix);
	/* Of a block that had nothing to say, its first line is still to come:
	   it is not to be the next one's. */
	if (page->pending.len > before.pending)
		cut_back(&page->pending, before.pending);
}

/* Wrapping -------------------------------------------------------------- */

static size_t room_for(const struct page *page)
{
	size_t taken = style_columns(
		page->prefix.data ? page->prefix.data : "", page->prefix.len);
	size_t width = (size_t)page->style->width;

	return width > taken + WIDTH_MIN ? width - taken : WIDTH_MIN;
}

/* Nothing at all where there are no words. */
static void put_wrapped(struct page *page, const char *words)
{
	size_t room = room_for(page);
	size_t column = 0;

	if (words[strspn(words, " \n")] == '\0')
		return;
	start_line(page);
	while (*words) {
		size_t len = strcspn(words, " \n");
		size_t columns = style_columns(words, len);

		if (column > 0 && column + 1 + columns > room) {
			text_putc(page->out, '\n');
			start_line(page);
			column = 0;
		}
		if (column > 0 && len > 0) {
			text_putc(page->out, ' ');
			column++;
		}
		text_put(page->out, words, len);
		column += columns;
		words += len;
		if (*words == '\n') {
			text_putc(page->out, '\n');
			start_line(page);
			column = 0;
		}
		words += *words != '\0';
	}
	text_putc(page->out, '\n');
}

/* Blocks ---------------------------------------------------------------- */

static void put_rule(struct page *page, size_t columns)
{
	if (columns == 0)
		return;
	start_line(page);
	style_begin(page->out, page->style, PAINT_DIM);
	for (size_t i = 0; i < columns; i++)
		text_puts(page->out, style_symbol(page->style, SYMBOL_RULE));
	style_end(page->out, page->style);
	text_putc(page->out, '\n');
}

static void put_heading(struct page *page, cmark_node *node)
{
	struct text words = {0};

	inline_put(&words, page->style, node, true);
	put_wrapped(page, words.data ? words.data : "");
	if (cmark_node_get_heading_level(node) <= 2) {
		size_t columns =
			style_columns(words.data ? words.data : "", words.len);
		size_t room = room_for(page);

		put_rule(page, columns < room ? columns : room);
	}
	page->out->failed |= words.failed;
	text_finish(&words);
}

static void put_paragraph(struct page *page, cmark_node *node)
{
	struct text words = {0};
	struct table table;

	if (table_find(&table, page->source, page->len, node)) {
		size_t rows = table_rows(&table);

		table_measure(&table, page->style);
		for (size_t row = 0; row < rows; row++) {
			start_line(page);
			table_put_row(page->out, page->style, &table, row);
			text_putc(page->out, '\n');
		}
		return;
	}
	inline_put(&words, page->style, node, false);
	put_wrapped(page, words.data ? words.data : "");
	page->out->failed |= words.failed;
	text_finish(&words);
}

/* A line of code: tabs spread, all else escaped. */
static void put_code_line(struct page *page, const char *line, size_t len)
{
	size_t start, done = 0;

	start_line(page);
	if (len == 0) {
		/* No blanks at the end of an empty line. */
		while (page->out->len > 0 &&
			page->out->data[page->out->len - 1] == ' ')
			page->out->len--;
		text_putc(page->out, '\n');
		return;
	}
	style_begin(page->out, page->style, PAINT_CYAN);
	start = page->out->len;
	while (done < len) {
		const char *tab = memchr(line + done, '\t', len - done);
		size_t n = tab ? (size_t)(tab - line) - done : len - done;

		style_put_words_len(page->out, page->style, line + done, n);
		done += n;
		if (tab) {
			size_t columns = style_columns(page->out->data + start,
				page->out->len - start);

			style_pad(page->out, start,
				columns + TAB_COLUMNS - columns % TAB_COLUMNS);
			done++;
		}
	}
	style_end(page->out, page->style);
	text_putc(page->out, '\n');
}

static void put_code(struct page *page, const char *code, size_t indent)
{
	struct front before = enter(page, &"    "[CODE_INDENT - indent],
		&"    "[CODE_INDENT - indent]);

	while (*code) {
		size_t len = strcspn(code, "\n");

		put_code_line(page, code, len);
		code += len + (code[len] == '\n');
	}
	leave(page, before);
}

static void put_item(struct page *page, cmark_node *item, const char *marker)
{
	static const char blanks[] = "            ";
	size_t columns = style_columns(marker, strlen(marker));
	struct front before =
		enter(page, marker, blanks + sizeof(blanks) - 1 - columns);
	size_t start = page->out->len;

	put_blocks(page, item);
	if (page->out->len == start) {
		start_line(page);
		text_putc(page->out, '\n');
	}
	leave(page, before);
}

static void put_list(struct page *page, cmark_node *list)
{
	bool ordered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
	int number = cmark_node_get_list_start(list);
	cmark_node *item = cmark_node_first_child(list);

	for (; item; item = cmark_node_next(item)) {
		struct text marker = {0};

		/* At most nine digits: CommonMark allows no more. */
		if (ordered)
			text_printf(&marker, "%d. ", number++);
		else
			text_printf(&marker, "%s ",
				style_symbol(page->style, SYMBOL_BULLET));
		if (marker.failed)
			page->out->failed = true;
		else
			put_item(page, item, marker.data);
		text_finish(&marker);
		if (cmark_node_next(item) && !cmark_node_get_list_tight(list))
			put_blank_line(page);
	}
}

static void put_quote(struct page *page, cmark_node *quote)
{
	struct text bar = {0};
	struct front before;

	text_printf(&bar, "%s ", style_symbol(page->style, SYMBOL_BAR));
	before =
		enter(page, bar.data ? bar.data : "", bar.data ? bar.data : "");
	put_blocks(page, quote);
	leave(page, before);
	text_finish(&bar);
}

static void put_block(struct page *page, cmark_node *node)
{
	switch ((int)cmark_node_get_type(node)) {
	case CMARK_NODE_PARAGRAPH:
		put_paragraph(page, node);
		break;
	case CMARK_NODE_HEADING:
		put_heading(page, node);
		break;
	case CMARK_NODE_LIST:
		put_list(page, node);
		break;
	case CMARK_NODE_BLOCK_QUOTE:
		put_quote(page, node);
		break;
	case CMARK_NODE_CODE_BLOCK:
		put_code(page, cmark_node_get_literal(node), CODE_INDENT);
		break;
	case CMARK_NODE_HTML_BLOCK:
		put_code(page, cmark_node_get_literal(node), 0);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		put_rule(page, room_for(page));
		break;
	default:
		break;
	}
}

/* A paragraph and a list right behind it stay together in a tight list. */
static bool is_tight(cmark_node *parent)
{
	cmark_node *list = cmark_node_parent(parent);

	return cmark_node_get_type(parent) == CMARK_NODE_ITEM &&
		cmark_node_get_list_tight(list);
}

static bool is_comment(cmark_node *node)
{
	return cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK &&
		strncmp(cmark_node_get_literal(node), "<!--", 4) == 0;
}

static void put_blocks(struct page *page, cmark_node *parent)
{
	cmark_node *node = cmark_node_first_child(parent);
	bool first = true;

	if (page->depth == DEPTH_MAX) {
		put_wrapped(page, style_symbol(page->style, SYMBOL_CUT));
		return;
	}
	page->depth++;
	for (; node; node = cmark_node_next(node)) {
		size_t before = page->out->len;
		size_t start;

		if (is_comment(node))
			continue;
		if (!first && !is_tight(parent))
			put_blank_line(page);
		start = page->out->len;
		put_block(page, node);
		if (page->out->len == start)
			cut_back(page->out, before);
		else
			first = false;
	}
	page->depth--;
}

/* Without the blank lines in front and behind that code may have. */
static void put_trimmed(struct text *out, const struct text *page)
{
	size_t start = 0, end = page->len;

	while (start < end && page->data[start] == '\n')
		start++;
	while (end > start + 1 && page->data[end - 2] == '\n')
		end--;
	if (end > start)
		text_put(out, page->data + start, end - start);
	out->failed |= page->failed;
}

void page_put(struct text *out, const struct style *style, const char *source,
	size_t len)
{
	struct text all = {0};
	struct page page = {
		.out = &all, .style = style, .source = source, .len = len};
	cmark_node *document =
		cmark_parse_document(source, len, CMARK_OPT_DEFAULT);

	put_blocks(&page, document);
	all.failed |= page.prefix.failed | page.pending.failed;
	put_trimmed(out, &all);
	text_finish(&all);
	text_finish(&page.prefix);
	text_finish(&page.pending);
	cmark_node_free(document);
}
