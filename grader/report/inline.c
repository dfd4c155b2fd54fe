/* SPDX-License-Identifier: MIT */
#include "grader/report/inline.h"

#include "base/text.h"
#include "grader/report/style.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

/* The paints that are on, so that the end of one leaves the others. */
struct paints {
	struct text *out;
	const struct style *style;
	enum paint stack[DEPTH_MAX];
	size_t depth;
};

static void push(struct paints *paints, enum paint paint)
{
	if (paints->depth < DEPTH_MAX) {
		paints->stack[paints->depth] = paint;
		style_begin(paints->out, paints->style, paint);
	}
	paints->depth++;
}

static void pop(struct paints *paints)
{
	paints->depth--;
	if (paints->depth >= DEPTH_MAX)
		return;
	style_end(paints->out, paints->style);
	for (size_t i = 0; i < paints->depth; i++)
		style_begin(paints->out, paints->style, paints->stack[i]);
}

/* Without colours, code keeps the marks that it is written with. */
static void put_code(struct paints *paints, const char *code)
{
	const char *mark = paints->style->color ? "" : "`";

	push(paints, PAINT_CYAN);
	text_puts(paints->out, mark);
	style_put_words(paints->out, paints->style, code);
	text_puts(paints->out, mark);
	pop(paints);
}

/* Behind its text, unless the text says it already. */
static void put_url(struct paints *paints, cmark_node *link)
{
	const char *url = cmark_node_get_url(link);
	cmark_node *only = cmark_node_first_child(link);
	const char *shown = only ? cmark_node_get_literal(only) : NULL;

	if (!url || !url[0] || (shown && strcmp(shown, url) == 0))
		return;
	text_puts(paints->out, " (");
	style_put_words(paints->out, paints->style, url);
	text_putc(paints->out, ')');
}

static void put_leaf(struct paints *paints, cmark_node *node)
{
	switch ((int)cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
		style_put_words(paints->out, paints->style,
			cmark_node_get_literal(node));
		break;
	case CMARK_NODE_CODE:
		put_code(paints, cmark_node_get_literal(node));
		break;
	case CMARK_NODE_SOFTBREAK:
		text_putc(paints->out, ' ');
		break;
	case CMARK_NODE_LINEBREAK:
		text_putc(paints->out, '\n');
		break;
	default: /* HTML has nothing to say in a terminal */
		break;
	}
}

static void put_event(
	struct paints *paints, cmark_node *node, cmark_event_type event)
{
	bool enter = event == CMARK_EVENT_ENTER;

	switch ((int)cmark_node_get_type(node)) {
	case CMARK_NODE_EMPH:
	case CMARK_NODE_STRONG:
		if (!enter)
			pop(paints);
		else if (cmark_node_get_type(node) == CMARK_NODE_EMPH)
			push(paints, PAINT_ITALIC);
		else
			push(paints, PAINT_BOLD);
		break;
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
		if (!enter)
			put_url(paints, node);
		break;
	default:
		put_leaf(paints, node);
		break;
	}
}

void inline_put(struct text *out, const struct style *style, cmark_node *block,
	bool bold)
{
	struct paints paints = {.out = out, .style = style};
	cmark_iter *iter = cmark_iter_new(block);
	cmark_event_type event;

	if (bold)
		push(&paints, PAINT_BOLD);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		if (node != block)
			put_event(&paints, node, event);
	}
	if (bold)
		pop(&paints);
	cmark_iter_free(iter);
}

void inline_put_source(struct text *out, const struct style *style,
	const char *source, size_t len, bool bold)
{
	cmark_node *document =
		cmark_parse_document(source, len, CMARK_OPT_DEFAULT);
	cmark_node *first = cmark_node_first_child(document);

	if (first && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH)
		inline_put(out, style, first, bold);
	else /* "1." or "#", which are blocks on their own */
		style_put_words_len(out, style, source, len);
	cmark_node_free(document);
}
