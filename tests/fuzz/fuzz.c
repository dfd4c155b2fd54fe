/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include "base/text.h"
#include "grader/report/style.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int fuzz_byte(struct fuzz_input *input)
{
	return (unsigned int)fuzz_number(input, 1);
}

uint64_t fuzz_number(struct fuzz_input *input, size_t bytes)
{
	uint64_t number = 0;

	assert(bytes <= sizeof(number));
	fuzz_take(input, &number, bytes);
	return number;
}

size_t fuzz_take(struct fuzz_input *input, void *out, size_t len)
{
	size_t n = len < input->len ? len : input->len;

	if (n > 0)
		memcpy(out, input->data, n);
	input->data += n;
	input->len -= n;
	return n;
}

void *fuzz_copy(const void *data, size_t len)
{
	void *copy = malloc(len);

	assert(copy || len == 0);
	if (len > 0)
		memcpy(copy, data, len);
	return copy;
}

char *fuzz_string(struct fuzz_input *input)
{
	const unsigned char *nul =
		input->len ? memchr(input->data, '\0', input->len) : NULL;
	size_t len = nul ? (size_t)(nul - input->data) : input->len;
	char *string = malloc(len + 1);

	assert(string);
	fuzz_take(input, string, len);
	string[len] = '\0';
	if (nul)
		fuzz_byte(input);
	return string;
}

/*
 * The length of the character at data by the table of well-formed sequences in
 * the Unicode standard (3.9, table 3-7), or 0.
 */
static size_t character_len(const unsigned char *data, size_t len)
{
	static const struct {
		unsigned char first, last; /* of the first byte */
		unsigned char from, to;    /* of the second */
		size_t len;
	} rows[] = {
		{0x00, 0x7f, 0, 0, 1},
		{0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		if (data[0] < rows[r].first || data[0] > rows[r].last)
			continue;
		if (rows[r].len > len)
			return 0;
		if (rows[r].len > 1 &&
			(data[1] < rows[r].from || data[1] > rows[r].to))
			return 0;
		for (size_t i = 2; i < rows[r].len; i++)
			if (data[i] < 0x80 || data[i] > 0xbf)
				return 0;
		return rows[r].len;
	}
	return 0;
}

/* Nearly all, so for speed. */
static bool is_plain(unsigned char c)
{
	return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}

/* Characters that may not be shown, by their bytes. */
static bool is_harmful(const unsigned char *data, size_t len)
{
	static const struct {
		const char *first, *last;
	} rows[] = {
		{"\x01", "\x08"}, {"\x0b", "\x1f"}, {"\x7f", "\x7f"},
		{"\xc2\x80", "\xc2\x9f"},         /* C1 */
		{"\xd8\x9c", "\xd8\x9c"},         /* U+061C */
		{"\xe2\x80\x8e", "\xe2\x80\x8f"}, /* U+200E, U+200F */
		{"\xe2\x80\xa8", "\xe2\x80\xae"}, /* U+2028 to U+202E */
		{"\xe2\x81\xa6", "\xe2\x81\xa9"}, /* U+2066 to U+2069 */
		{"\xef\xbb\xbf", "\xef\xbb\xbf"}, /* U+FEFF */
	};

	if (data[0] == '\0')
		return true;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++)
		if (strlen(rows[r].first) == len &&
			memcmp(data, rows[r].first, len) >= 0 &&
			memcmp(data, rows[r].last, len) <= 0)
			return true;
	return false;
}

/* The length of one of style.c's escape sequences. */
static size_t sequence_len(const char *data, size_t len)
{
	static const char *const sequences[] = {"\033[0m", "\033[1m", "\033[2m",
		"\033[3m", "\033[31m", "\033[32m", "\033[33m", "\033[36m"};

	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++) {
		size_t n = strlen(sequences[i]);

		if (n <= len && memcmp(data, sequences[i], n) == 0)
			return n;
	}
	return 0;
}

void fuzz_check_harmless(
	const char *data, size_t len, const struct style *style)
{
	static const struct style plain;
	size_t n;

	if (!style)
		style = &plain;
	for (size_t i = 0; i < len; i += n) {
		const unsigned char *at = (const unsigned char *)data + i;

		n = 1;
		if (is_plain(*at))
			continue;
		n = style->color ? sequence_len(data + i, len - i) : 0;
		if (n > 0)
			continue;
		n = character_len(at, len - i);
		assert(n > 0);
		assert(!is_harmful(at, n));
		assert(!style->ascii || n == 1);
	}
}

void fuzz_check_text(const struct text *text, const struct style *style)
{
	assert(!text->failed);
	fuzz_check_harmless(text->data ? text->data : "", text->len, style);
	assert(!text->data || text->data[text->len] == '\0');
}

void fuzz_check_sentence(const char *data, size_t len)
{
	static const struct style ascii = {.ascii = true};

	fuzz_check_harmless(data, len, &ascii);
	assert(!memchr(data, '\n', len) && !memchr(data, '\t', len));
}

void fuzz_escape(
	struct text *out, const char *data, size_t len, bool ascii, bool line)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		const unsigned char *at = (const unsigned char *)data + i;
		bool blank = *at == '\n' || *at == '\t';
		bool good;

		if (is_plain(*at) && !blank) {
			text_putc(out, data[i]);
			n = 1;
			continue;
		}
		n = character_len(at, len - i);
		good = n > 0 && (blank ? !line : !is_harmful(at, n)) &&
			(!ascii || n == 1);
		n = n ? n : 1;
		for (size_t k = 0; k < n; k++) {
			if (good)
				text_putc(out, data[i + k]);
			else
				text_printf(out, "\\x%02x", at[k]);
		}
	}
}
