/* SPDX-License-Identifier: MIT */
#include "grader/engine/ctoken.h"

#include <string.h>

void ctoken_start(struct ctoken_reader *reader, const char *data, size_t len)
{
	*reader = (struct ctoken_reader){.data = data, .len = len, .line = 1};
}

/* The byte at an offset from here; 0 behind the end. */
static char peek(const struct ctoken_reader *reader, size_t offset)
{
	if (offset >= reader->len - reader->at)
		return '\0';
	return reader->data[reader->at + offset];
}

static bool at_end(const struct ctoken_reader *reader)
{
	return reader->at >= reader->len;
}

static void step(struct ctoken_reader *reader)
{
	if (reader->data[reader->at++] == '\n') {
		reader->line++;
		reader->in_line = false;
	}
}

/* The length of a backslash and the end of the line behind it, or 0. */
static size_t splice_len(const struct ctoken_reader *reader)
{
	if (peek(reader, 0) != '\\')
		return 0;
	if (peek(reader, 1) == '\n')
		return 2;
	return peek(reader, 1) == '\r' && peek(reader, 2) == '\n' ? 3 : 0;
}

/* A spliced line goes on as the same line of the program. */
static bool skip_splice(struct ctoken_reader *reader)
{
	size_t len = splice_len(reader);

	if (len == 0)
		return false;
	reader->at += len;
	reader->line++;
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' ||
		c == '\f';
}

static void skip_block_comment(struct ctoken_reader *reader)
{
	bool in_line = reader->in_line;

	reader->at += 2;
	while (!at_end(reader) &&
		!(peek(reader, 0) == '*' && peek(reader, 1) == '/'))
		step(reader);
	reader->at += at_end(reader) ? 0 : 2;
	/* A comment is a space, whatever lines it runs over. */
	reader->in_line = in_line;
}

static void skip_line_comment(struct ctoken_reader *reader)
{
	while (!at_end(reader) && peek(reader, 0) != '\n')
		if (!skip_splice(reader))
			reader->at++;
}

static bool skip_comment(struct ctoken_reader *reader)
{
	if (peek(reader, 0) != '/')
		return false;
	if (peek(reader, 1) == '*')
		skip_block_comment(reader);
	else if (peek(reader, 1) == '/')
		skip_line_comment(reader);
	else
		return false;
	return true;
}

/* Spaces and comments; with in_directive not the end of the line. */
static void skip_blank(struct ctoken_reader *reader, bool in_directive)
{
	while (!at_end(reader)) {
		char c = peek(reader, 0);

		if (skip_splice(reader) || skip_comment(reader))
			continue;
		if (!is_space(c) || (in_directive && c == '\n'))
			return;
		step(reader);
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes of UTF-8 count: gcc takes them in names. */
static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		c == '$' || is_digit(c) || (unsigned char)c >= 0x80;
}

static void skip_string(struct ctoken_reader *reader)
{
	char quote = peek(reader, 0);

	reader->at++;
	while (!at_end(reader) && peek(reader, 0) != '\n') {
		char c = peek(reader, 0);

		if (skip_splice(reader))
			continue;
		reader->at++;
		if (c == quote)
			return;
		if (c == '\\' && !at_end(reader) && peek(reader, 0) != '\n')
			reader->at++;
	}
}

/* Lines can be spliced inside of a word, too. */
static bool is_at_word(const struct ctoken_reader *reader, const char *word)
{
	struct ctoken_reader ahead = *reader;

	for (; *word; word++) {
		while (skip_splice(&ahead))
			;
		if (peek(&ahead, 0) != *word)
			return false;
		ahead.at++;
	}
	while (skip_splice(&ahead))
		;
	return !is_name(peek(&ahead, 0));
}

/* Behind the "#". */
static void skip_directive(struct ctoken_reader *reader)
{
	skip_blank(reader, true);
	if (is_digit(peek(reader, 0)) || is_at_word(reader, "line"))
		reader->line_directive = true;
	while (!at_end(reader) && peek(reader, 0) != '\n') {
		char c = peek(reader, 0);

		if (skip_splice(reader) || skip_comment(reader))
			continue;
		if (c == '"' || c == '\'')
			skip_string(reader);
		else
			reader->at++;
	}
}

static bool starts_directive(const struct ctoken_reader *reader, size_t *len)
{
	*len = peek(reader, 0) == '#' ? 1 : 2;
	return !reader->in_line &&
		(peek(reader, 0) == '#' ||
			(peek(reader, 0) == '%' && peek(reader, 1) == ':'));
}

static enum token_kind skip_token(struct ctoken_reader *reader)
{
	char c = peek(reader, 0);

	if (c == '"' || c == '\'') {
		skip_string(reader);
		return TOKEN_STRING;
	}
	if (!is_name(c)) {
		reader->at++;
		return TOKEN_PUNCTUATOR;
	}
	while (!at_end(reader) &&
		(is_name(peek(reader, 0)) ||
			(is_digit(c) && peek(reader, 0) == '.')))
		reader->at++;
	return is_digit(c) ? TOKEN_NUMBER : TOKEN_NAME;
}

struct token ctoken_next(struct ctoken_reader *reader)
{
	struct token token;
	size_t len;

	/* A byte order mark is no part of the program. */
	if (reader->at == 0 && reader->len >= 3 &&
		memcmp(reader->data, "\xef\xbb\xbf", 3) == 0)
		reader->at = 3;
	for (;;) {
		skip_blank(reader, false);
		if (at_end(reader) || !starts_directive(reader, &len))
			break;
		reader->at += len;
		skip_directive(reader);
	}
	token = (struct token){
		.kind = TOKEN_END,
		.text = reader->data + reader->at,
		.line = reader->line,
	};
	if (at_end(reader))
		return token;
	reader->in_line = true;
	token.kind = skip_token(reader);
	token.len = (size_t)(reader->data + reader->at - token.text);
	return token;
}

bool token_is(const struct token *token, const char *text)
{
	return token->len == strlen(text) &&
		memcmp(token->text, text, token->len) == 0;
}

bool ctoken_has_line_directive(const char *data, size_t len)
{
	struct ctoken_reader reader;

	ctoken_start(&reader, data, len);
	while (ctoken_next(&reader).kind != TOKEN_END)
		;
	return reader.line_directive;
}
