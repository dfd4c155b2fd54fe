/* SPDX-License-Identifier: MIT */
#include "grader/report/style.h"

#include "base/escape.h"
#include "base/text.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

void style_begin(struct text *out, const struct style *style, enum paint paint)
{
	static const char *const codes[] = {
		[PAINT_BOLD] = "\033[1m",
		[PAINT_DIM] = "\033[2m",
		[PAINT_ITALIC] = "\033[3m",
		[PAINT_RED] = "\033[31m",
		[PAINT_GREEN] = "\033[32m",
		[PAINT_YELLOW] = "\033[33m",
		[PAINT_CYAN] = "\033[36m",
	};

	if (style->color)
		text_puts(out, codes[paint]);
}

void style_end(struct text *out, const struct style *style)
{
	if (style->color)
		text_puts(out, "\033[0m");
}

const char *style_symbol(const struct style *style, enum symbol symbol)
{
	static const char *const symbols[][2] = {
		[SYMBOL_PASS] = {"✓", "+"},
		[SYMBOL_FAIL] = {"✗", "x"},
		[SYMBOL_ARROW] = {"→", "->"},
		[SYMBOL_DOT] = {"·", "-"},
		[SYMBOL_BULLET] = {"•", "*"},
		[SYMBOL_BAR] = {"│", "|"},
		[SYMBOL_RULE] = {"─", "-"},
		[SYMBOL_CUT] = {"…", "..."},
		[SYMBOL_RIGHT] = {"·", "."},
		[SYMBOL_WRONG] = {"■", "x"},
	};

	return symbols[symbol][style->ascii];
}

/* What stands for a character where only ASCII can be shown. */
static const char *likeness(unsigned int code)
{
	static const struct {
		unsigned int code;
		const char *ascii;
	} table[] = {
		{0xa0, " "},
		{0xab, "\""},
		{0xb0, " degrees"},
		{0xb1, "+-"},
		{0xb2, "^2"},
		{0xb3, "^3"},
		{0xb7, "*"},
		{0xbb, "\""},
		{0xd7, "x"},
		{0xf7, "/"},
		{0x3b1, "alpha"},
		{0x3b2, "beta"},
		{0x3b5, "epsilon"},
		{0x3bb, "lambda"},
		{0x3bc, "mu"},
		{0x3c0, "pi"},
		{0x3c3, "sigma"},
		{0x2010, "-"},
		{0x2011, "-"},
		{0x2013, "-"},
		{0x2014, "--"},
		{0x2018, "'"},
		{0x2019, "'"},
		{0x201c, "\""},
		{0x201d, "\""},
		{0x2022, "*"},
		{0x2026, "..."},
		{0x2032, "'"},
		{0x2070, "^0"},
		{0x207b, "^-"},
		{0x2080, "_0"},
		{0x2081, "_1"},
		{0x2082, "_2"},
		{0x2190, "<-"},
		{0x2192, "->"},
		{0x21d2, "=>"},
		{0x2208, " in "},
		{0x2211, "sum "},
		{0x2212, "-"},
		{0x221a, "sqrt "},
		{0x221e, "infinity"},
		{0x2248, "~"},
		{0x2260, "!="},
		{0x2264, "<="},
		{0x2265, ">="},
		{0x22c5, "*"},
		{0x2713, "+"},
		{0x2717, "x"},
	};

	for (size_t i = 0; i < COUNT(table); i++)
		if (table[i].code == code)
			return table[i].ascii;
	return "?";
}

void style_put_words_len(struct text *out, const struct style *style,
	const char *words, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned int code = 0;
		size_t n = escape_utf8(words + i, len - i, &code);

		if (style->ascii && n > 0 && code > 0x9f)
			text_puts(out, likeness(code));
		else
			escape_put_line(out, words + i, n ? n : 1, false);
		i += n ? n : 1;
	}
}

void style_put_words(
	struct text *out, const struct style *style, const char *words)
{
	style_put_words_len(out, style, words, strlen(words));
}

size_t style_columns(const char *data, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\033') {
			while (i < len && data[i] != 'm')
				i++;
			continue;
		}
		/* Continuation bytes of UTF-8 take no room of their own. */
		if (((unsigned char)data[i] & 0xc0) != 0x80)
			columns++;
	}
	return columns;
}

void style_pad(struct text *out, size_t start, size_t columns)
{
	size_t have = out->data
		? style_columns(out->data + start, out->len - start)
		: 0;

	for (; have < columns; have++)
		text_putc(out, ' ');
}

size_t style_columns_of_words(const struct style *style, const char *words)
{
	struct text text = {0};
	size_t columns;

	style_put_words(&text, style, words);
	columns = text.data ? style_columns(text.data, text.len) : 0;
	text_finish(&text);
	return columns;
}
