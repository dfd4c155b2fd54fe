/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CTOKEN_H
#define GRADER_ENGINE_CTOKEN_H

/*
 * Cuts C source into tokens, without a preprocessor: directives are passed
 * over, and both sides of an #if are seen.  Good for finding where a function
 * is written, not for saying what it means.  Any bytes will do.
 */

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,     /* or a character constant */
	TOKEN_PUNCTUATOR, /* one byte each */
};

struct token {
	enum token_kind kind;
	const char *text;
	size_t len;
	int line; /* from 1 */
};

struct ctoken_reader {
	const char *data;
	size_t len;
	size_t at;
	int line;
	bool in_line; /* a token of this line was seen: no directive now */
	bool line_directive; /* a #line was passed */
};

void ctoken_start(struct ctoken_reader *reader, const char *data, size_t len);
struct token ctoken_next(struct ctoken_reader *reader);

bool token_is(const struct token *token, const char *text);

/* Whether a #line or a "# 33" gives lines other numbers or another file. */
bool ctoken_has_line_directive(const char *data, size_t len);

#endif
