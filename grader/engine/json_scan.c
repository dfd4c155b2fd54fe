/* SPDX-License-Identifier: MIT */
#include "grader/engine/json_scan.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/json.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(JSON_NUMBER_MAX == 40 && JSON_VALUES_MAX == 1000000,
	"the messages say so");

struct scanner {
	const char *path;
	const char *text;
	size_t len;
	size_t at;
	int depth;
	uint32_t *starts;
	size_t count;
	size_t room;
	struct error *err;
};

/* Slips of syntax ---------------------------------------------------------- */

static bool fail_at(const struct scanner *scanner, size_t at, const char *says)
{
	size_t line = 1;
	size_t column = 1;

	for (size_t i = 0; i < at; i++) {
		column++;
		if (scanner->text[i] == '\n') {
			line++;
			column = 1;
		}
	}
	return error_set(scanner->err, ERROR_EXERCISE, "%s:%zu:%zu: %s",
		scanner->path, line, column, says);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void put_found(struct text *out, const struct scanner *scanner)
{
	enum { WORD_SHOWN = 20 };
	const char *at = scanner->text + scanner->at;
	size_t left = scanner->len - scanner->at;
	unsigned int code = 0;
	size_t n = 0;

	if (left == 0) {
		text_puts(out, "the end of the file");
		return;
	}
	while (n < left && n < WORD_SHOWN && is_letter(at[n]))
		n++;
	if (n == 0)
		n = escape_utf8(at, left, &code);
	if (n == 0) {
		text_printf(out, "byte 0x%02x, which is no UTF-8 here",
			(unsigned int)(unsigned char)*at);
	} else if (code == 0xfeff) {
		text_puts(out, "a byte order mark");
	} else if (*at == '\0') {
		text_puts(out, "a NUL byte");
	} else {
		text_putc(out, '\'');
		escape_put_line(out, at, n, false);
		text_putc(out, '\'');
	}
}

static bool fail_expected(const struct scanner *scanner, const char *expected)
{
	struct text says = {0};

	text_printf(&says, "expected %s, found ", expected);
	put_found(&says, scanner);
	if (text_check(&says, scanner->err))
		(void)fail_at(scanner, scanner->at, says.data);
	text_finish(&says);
	return false;
}

/* Tokens ------------------------------------------------------------------- */

/* The next byte, or NUL at the end; a NUL in the text is no token either. */
static char peek(const struct scanner *scanner)
{
	if (scanner->at == scanner->len)
		return '\0';
	return scanner->text[scanner->at];
}

static bool take(struct scanner *scanner, char c)
{
	if (scanner->at == scanner->len || scanner->text[scanner->at] != c)
		return false;
	scanner->at++;
	return true;
}

static void skip_blanks(struct scanner *scanner)
{
	while (take(scanner, ' ') || take(scanner, '\n') ||
		take(scanner, '\t') || take(scanner, '\r'))
		;
}

static bool skip_digits(struct scanner *scanner)
{
	size_t start = scanner->at;

	while (is_digit(peek(scanner)))
		scanner->at++;
	return scanner->at > start || fail_expected(scanner, "a digit");
}

static bool scan_number(struct scanner *scanner)
{
	size_t start = scanner->at;

	(void)take(scanner, '-');
	if (!take(scanner, '0') && !skip_digits(scanner))
		return false;
	if (take(scanner, '.') && !skip_digits(scanner))
		return false;
	if (take(scanner, 'e') || take(scanner, 'E')) {
		if (!take(scanner, '+'))
			(void)take(scanner, '-');
		if (!skip_digits(scanner))
			return false;
	}
	if (scanner->at - start > JSON_NUMBER_MAX)
		return fail_at(
			scanner, start, "a number has more than 40 characters");
	return true;
}

static bool scan_hex(struct scanner *scanner, unsigned int *code_out)
{
	unsigned int code = 0;

	for (int i = 0; i < 4; i++) {
		char c = peek(scanner);

		if (is_digit(c))
			code = code << 4 | (unsigned int)(c - '0');
		else if (c >= 'a' && c <= 'f')
			code = code << 4 | (unsigned int)(c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			code = code << 4 | (unsigned int)(c - 'A' + 10);
		else
			return fail_expected(
				scanner, "four hexadecimal digits behind \\u");
		scanner->at++;
	}
	*code_out = code;
	return true;
}

static bool scan_unicode(struct scanner *scanner, size_t start)
{
	unsigned int code;

	if (!scan_hex(scanner, &code))
		return false;
	if (code == 0)
		return fail_at(scanner, start, "a string has a NUL in it");
	if (code < 0xd800 || code > 0xdfff)
		return true;
	if (code > 0xdbff || !take(scanner, '\\') || !take(scanner, 'u'))
		return fail_at(scanner, start, "half of a surrogate pair");
	if (!scan_hex(scanner, &code))
		return false;
	if (code < 0xdc00 || code > 0xdfff)
		return fail_at(scanner, start, "half of a surrogate pair");
	return true;
}

static bool scan_escape(struct scanner *scanner)
{
	size_t start = scanner->at;

	scanner->at++;
	if (take(scanner, 'u'))
		return scan_unicode(scanner, start);
	if (peek(scanner) == '\0' || !strchr("\"\\/bfnrt", peek(scanner)))
		return fail_expected(
			scanner, "one of \" \\ / b f n r t u behind \\");
	scanner->at++;
	return true;
}

static bool scan_string(struct scanner *scanner)
{
	size_t start = scanner->at++;
	unsigned int code;

	while (!take(scanner, '"')) {
		size_t left = scanner->len - scanner->at;
		size_t n = 0;

		if (left == 0)
			return fail_at(scanner, start, "a string has no end");
		if (peek(scanner) == '\\') {
			if (!scan_escape(scanner))
				return false;
			continue;
		}
		if (peek(scanner) == '\n')
			return fail_at(scanner, start,
				"a string has no end on its line");
		if ((unsigned char)peek(scanner) >= 0x20)
			n = escape_utf8(
				scanner->text + scanner->at, left, &code);
		if (n == 0)
			return fail_expected(
				scanner, "a character of a string");
		scanner->at += n;
	}
	return true;
}

static bool scan_word(struct scanner *scanner)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t len = strlen(words[i]);

		if (scanner->len - scanner->at >= len &&
			memcmp(scanner->text + scanner->at, words[i], len) ==
				0) {
			scanner->at += len;
			return true;
		}
	}
	return fail_expected(scanner, "a value");
}

/* Values ------------------------------------------------------------------- */

static bool scan_value(struct scanner *scanner);

static bool scan_array(struct scanner *scanner)
{
	scanner->at++;
	skip_blanks(scanner);
	if (take(scanner, ']'))
		return true;
	for (;;) {
		if (!scan_value(scanner))
			return false;
		if (take(scanner, ']'))
			return true;
		if (!take(scanner, ','))
			return fail_expected(scanner, "a comma or ']'");
		skip_blanks(scanner);
		if (peek(scanner) == ']')
			return fail_expected(scanner, "a value behind a comma");
	}
}

static bool scan_object(struct scanner *scanner)
{
	scanner->at++;
	skip_blanks(scanner);
	if (take(scanner, '}'))
		return true;
	for (;;) {
		if (peek(scanner) != '"')
			return fail_expected(scanner, "a key in quotes");
		if (!scan_string(scanner))
			return false;
		skip_blanks(scanner);
		if (!take(scanner, ':'))
			return fail_expected(scanner, "':' behind a key");
		if (!scan_value(scanner))
			return false;
		if (take(scanner, '}'))
			return true;
		if (!take(scanner, ','))
			return fail_expected(scanner, "a comma or '}'");
		skip_blanks(scanner);
		if (peek(scanner) == '}')
			return fail_expected(scanner, "a key behind a comma");
	}
}

static bool note_start(struct scanner *scanner)
{
	if (scanner->count == JSON_VALUES_MAX)
		return fail_at(scanner, scanner->at,
			"the file has more than 1000000 values");
	if (scanner->count == scanner->room) {
		size_t room = scanner->room ? 2 * scanner->room : 256;
		uint32_t *starts = realloc(
			scanner->starts, room * sizeof(*scanner->starts));

		if (!starts)
			return error_set_errno(scanner->err, "cannot read '%s'",
				scanner->path);
		scanner->starts = starts;
		scanner->room = room;
	}
	scanner->starts[scanner->count++] = (uint32_t)scanner->at;
	return true;
}

static bool scan_nested(struct scanner *scanner)
{
	bool good;

	if (scanner->depth == JSON_DEPTH_MAX)
		return fail_at(
			scanner, scanner->at, "values are nested too deeply");
	scanner->depth++;
	good = peek(scanner) == '[' ? scan_array(scanner)
				    : scan_object(scanner);
	scanner->depth--;
	return good;
}

/* A value and the blanks around it. */
static bool scan_value(struct scanner *scanner)
{
	char c;
	bool good;

	skip_blanks(scanner);
	if (!note_start(scanner))
		return false;
	c = peek(scanner);
	if (c == '{' || c == '[')
		good = scan_nested(scanner);
	else if (c == '"')
		good = scan_string(scanner);
	else if (c == '-' || is_digit(c))
		good = scan_number(scanner);
	else
		good = scan_word(scanner);
	skip_blanks(scanner);
	return good;
}

bool json_scan(const char *path, const char *text, size_t len,
	uint32_t **starts_out, size_t *count_out, struct error *err)
{
	struct scanner scanner = {
		.path = path, .text = text, .len = len, .err = err};

	if (len > JSON_BYTES_MAX)
		return error_set(err, ERROR_EXERCISE,
			"%s: has %zu bytes, expected at most %zu", path, len,
			JSON_BYTES_MAX);
	if (!scan_value(&scanner) ||
		(scanner.at < len &&
			!fail_expected(&scanner, "the end of the file"))) {
		free(scanner.starts);
		return false;
	}
	*starts_out = scanner.starts;
	*count_out = scanner.count;
	return true;
}
