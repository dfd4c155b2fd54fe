/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_STYLE_H
#define GRADER_REPORT_STYLE_H

/*
 * How text for people may look where it is going to be read.
 */

#include <stdbool.h>
#include <stddef.h>

struct text;

struct style {
	bool ascii; /* nothing above 0x7e */
	bool color; /* escape sequences for colours */
	bool fold;  /* a screen: no line of a report is to be wider */
	int width;  /* columns; lines of prose are broken there */
};

enum paint {
	PAINT_BOLD,
	PAINT_DIM,
	PAINT_ITALIC,
	PAINT_RED,
	PAINT_GREEN,
	PAINT_YELLOW,
	PAINT_CYAN,
};

enum symbol {
	SYMBOL_PASS,
	SYMBOL_FAIL,
	SYMBOL_ARROW,
	SYMBOL_DOT,
	SYMBOL_BULLET,
	SYMBOL_BAR, /* before text that is a submission's own */
	SYMBOL_RULE,
	SYMBOL_CUT,   /* text was left out */
	SYMBOL_RIGHT, /* of a picture: an element that is right ... */
	SYMBOL_WRONG, /* ... and one that is not */
};

/* style_end() ends all that began. */
void style_begin(struct text *out, const struct style *style, enum paint paint);
void style_end(struct text *out, const struct style *style);

const char *style_symbol(const struct style *style, enum symbol symbol);

/*
 * Text of an exercise on one line.  It is escaped as base/escape.h does, but
 * in ASCII typographic characters become their nearest likeness ("->" for an
 * arrow), and what has none becomes a question mark.
 */
void style_put_words(
	struct text *out, const struct style *style, const char *words);
void style_put_words_len(struct text *out, const struct style *style,
	const char *words, size_t len);

/* The columns that such words take. */
size_t style_columns_of_words(const struct style *style, const char *words);

/* Columns that a text takes, escape sequences for colours left out. */
size_t style_columns(const char *data, size_t len);

/* Spaces until the line that started at byte start is columns wide. */
void style_pad(struct text *out, size_t start, size_t columns);

#endif
