/* SPDX-License-Identifier: MIT */
#include "grader/engine/declaration.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The words that base types are made of; how often each came. */
enum word {
	WORD_VOID,
	WORD_CHAR,
	WORD_SHORT,
	WORD_INT,
	WORD_LONG,
	WORD_FLOAT,
	WORD_DOUBLE,
	WORD_SIGNED,
	WORD_UNSIGNED,
	WORD_BOOL,
	WORD_SIZE, /* size_t, and what is the same type here */
	N_WORDS,
};

static const struct {
	const char *name;
	enum word word;
} words[] = {
	{"void", WORD_VOID},
	{"char", WORD_CHAR},
	{"short", WORD_SHORT},
	{"int", WORD_INT},
	{"long", WORD_LONG},
	{"float", WORD_FLOAT},
	{"double", WORD_DOUBLE},
	{"signed", WORD_SIGNED},
	{"unsigned", WORD_UNSIGNED},
	{"_Bool", WORD_BOOL},
	{"bool", WORD_BOOL},
	{"size_t", WORD_SIZE},
	{"uint64_t", WORD_SIZE},
};

/* Words that change nothing that is compared here. */
static const char *const ignored_words[] = {"static", "extern", "inline",
	"__inline", "__inline__", "register", "auto", "restrict", "__restrict",
	"__restrict__", "_Noreturn", "__extension__"};

/* A digit per word, in the order of the enum: how often it may come. */
static const struct {
	const char *counts;
	const char *base;
} bases[] = {
	{"10000000000", "void"},
	{"01000000000", "char"},
	{"01000001000", "signed char"},
	{"01000000100", "unsigned char"},
	{"00100000000", "short"},
	{"00110000000", "short"},
	{"00100001000", "short"},
	{"00110001000", "short"},
	{"00100000100", "unsigned short"},
	{"00110000100", "unsigned short"},
	{"00010000000", "int"},
	{"00000001000", "int"},
	{"00010001000", "int"},
	{"00000000100", "unsigned int"},
	{"00010000100", "unsigned int"},
	{"00001000000", "long"},
	{"00011000000", "long"},
	{"00001001000", "long"},
	{"00011001000", "long"},
	{"00001000100", "unsigned long"},
	{"00011000100", "unsigned long"},
	{"00000000001", "unsigned long"},
	{"00002000000", "long long"},
	{"00012000000", "long long"},
	{"00002000100", "unsigned long long"},
	{"00012000100", "unsigned long long"},
	{"00000100000", "float"},
	{"00000010000", "double"},
	{"00001010000", "long double"},
	{"00000000010", "bool"},
};

static bool is_ignored(const struct token *token)
{
	for (size_t i = 0; i < COUNT(ignored_words); i++)
		if (token_is(token, ignored_words[i]))
			return true;
	return false;
}

static bool find_word(const struct token *token, enum word *out)
{
	for (size_t i = 0; i < COUNT(words); i++) {
		if (!token_is(token, words[i].name))
			continue;
		*out = words[i].word;
		return true;
	}
	return false;
}

static const char *find_base(const char counts[static N_WORDS])
{
	for (size_t i = 0; i < COUNT(bases); i++)
		if (memcmp(bases[i].counts, counts, N_WORDS) == 0)
			return bases[i].base;
	return NULL;
}

/* A row of tokens that is being read. */
struct row {
	const struct token *tokens;
	size_t n;
	size_t at;
};

static bool next_is(const struct row *row, const char *text)
{
	return row->at < row->n && token_is(&row->tokens[row->at], text);
}

static bool accept(struct row *row, const char *text)
{
	bool there = next_is(row, text);

	row->at += there;
	return there;
}

/* Up to the first token that is no part of the specifiers. */
static bool read_specifiers(struct row *row, struct ctype *type)
{
	char counts[N_WORDS];

	memset(counts, '0', sizeof(counts));
	for (; row->at < row->n; row->at++) {
		const struct token *token = &row->tokens[row->at];
		enum word word;

		if (token->kind != TOKEN_NAME)
			break;
		if (token_is(token, "const") || token_is(token, "__const"))
			type->is_const = true;
		else if (find_word(token, &word) && counts[word] < '9')
			counts[word]++;
		else if (!is_ignored(token))
			break;
	}
	type->base = find_base(counts);
	return type->base != NULL;
}

static size_t read_stars(struct row *row)
{
	size_t n = 0;

	while (accept(row, "*")) {
		n++;
		/* The pointer's own qualifiers. */
		while (accept(row, "const") || accept(row, "restrict") ||
			accept(row, "__restrict") || accept(row, "volatile"))
			;
	}
	return n;
}

/* Of decimal digits alone; else 0. */
static long plain_number(const struct token *token)
{
	long number = 0;

	if (token->kind != TOKEN_NUMBER || token->len > 9)
		return 0;
	for (size_t i = 0; i < token->len; i++) {
		if (token->text[i] < '0' || token->text[i] > '9')
			return 0;
		number = number * 10 + (token->text[i] - '0');
	}
	return number;
}

/* "[Tq][3]": how many, and each bound that is a number. */
static bool read_arrays(
	struct row *row, size_t *n_out, long bounds[static TYPE_LEVELS_MAX])
{
	size_t n = 0;

	while (accept(row, "[")) {
		size_t start = row->at;
		size_t depth = 0;

		if (n == TYPE_LEVELS_MAX)
			return false;
		while (row->at < row->n && (depth > 0 || !next_is(row, "]"))) {
			depth += next_is(row, "[");
			depth -= next_is(row, "]");
			row->at++;
		}
		bounds[n] = row->at == start + 1
			? plain_number(&row->tokens[start])
			: 0;
		n++;
		if (!accept(row, "]"))
			return false;
	}
	*n_out = n;
	return true;
}

static void put_levels(struct ctype *type, size_t *n, char level, size_t count)
{
	for (size_t i = 0; i < count && *n < TYPE_LEVELS_MAX; i++)
		type->levels[(*n)++] = level;
	type->levels[*n] = '\0';
}

/* A whole parameter, or what stands in front of a function's name. */
static struct ctype read_type(const struct token *tokens, size_t n)
{
	struct row row = {.tokens = tokens, .n = n};
	struct ctype type = {0};
	long bounds[TYPE_LEVELS_MAX] = {0};
	size_t n_stars, n_arrays = 0, n_levels = 0;
	bool grouped;

	if (!read_specifiers(&row, &type))
		return (struct ctype){0};
	n_stars = read_stars(&row);
	/* "(*Q)[d]": a pointer to what the rest says. */
	grouped = accept(&row, "(");
	if (grouped && !accept(&row, "*"))
		return (struct ctype){0};
	while (grouped && (accept(&row, "const") || accept(&row, "restrict")))
		;
	if (row.at < row.n && row.tokens[row.at].kind == TOKEN_NAME)
		row.at++;
	if ((grouped && !accept(&row, ")")) ||
		!read_arrays(&row, &n_arrays, bounds) || row.at != row.n ||
		n_stars + n_arrays + 1 > TYPE_LEVELS_MAX)
		return (struct ctype){0};
	type.sure = true;
	put_levels(&type, &n_levels, 'p', grouped || n_arrays > 0);
	if (n_arrays > 0) {
		size_t outer = grouped ? 0 : 1; /* that one decays */

		for (size_t i = outer; i < n_arrays; i++)
			type.bounds[i - outer + 1] = bounds[i];
		put_levels(&type, &n_levels, 'a', n_arrays - outer);
	}
	put_levels(&type, &n_levels, 'p', n_stars);
	/* const of a value that is passed is nobody's business. */
	if (n_levels == 0)
		type.is_const = false;
	return type;
}

bool ctype_equal(const struct ctype *a, const struct ctype *b)
{
	if (strcmp(a->base, b->base) != 0 || a->is_const != b->is_const ||
		strcmp(a->levels, b->levels) != 0)
		return false;
	for (size_t i = 0; a->levels[i]; i++)
		if (a->bounds[i] != b->bounds[i] && a->bounds[i] != 0 &&
			b->bounds[i] != 0)
			return false;
	return true;
}

static void add_parameter(
	struct declaration *out, const struct token *tokens, size_t n)
{
	struct declared_parameter *parameter;

	if (out->n_parameters == DECLARATION_PARAMETERS_MAX) {
		out->sure = false;
		return;
	}
	parameter = &out->parameters[out->n_parameters++];
	parameter->tokens = tokens;
	parameter->n_tokens = n;
	parameter->type = read_type(tokens, n);
}

/* Between the parentheses; false if they do not close. */
static bool read_parameters(struct declaration *out, size_t at)
{
	size_t start = at, depth = 0;

	for (; at < out->n_tokens; at++) {
		const struct token *token = &out->tokens[at];
		bool closes = token_is(token, ")") || token_is(token, "]");

		if (token_is(token, "(") || token_is(token, "["))
			depth++;
		else if (closes && depth > 0)
			depth--;
		else if (closes || (depth == 0 && token_is(token, ","))) {
			if (at > start)
				add_parameter(
					out, out->tokens + start, at - start);
			if (closes)
				return true;
			start = at + 1;
		} else if (token_is(token, ".")) {
			out->sure = false; /* "..." */
		}
	}
	return false;
}

static void drop_void(struct declaration *out)
{
	if (out->n_parameters == 1 && out->parameters[0].n_tokens == 1 &&
		token_is(&out->parameters[0].tokens[0], "void"))
		out->n_parameters = 0;
}

/* Whether the tokens declare that name; the rest is read if so. */
static bool read_declaration(struct declaration *out, const char *name)
{
	size_t depth = 0;

	for (size_t i = 0; i < out->n_tokens; i++) {
		const struct token *token = &out->tokens[i];

		if (token_is(token, "="))
			return false;
		depth += token_is(token, "(");
		depth -= depth > 0 && token_is(token, ")");
		if (token->kind != TOKEN_NAME || !token_is(token, name))
			continue;
		out->line = token->line;
		if (i == 0)
			return false;
		out->is_function = depth == 0 && i + 1 < out->n_tokens &&
			token_is(&out->tokens[i + 1], "(");
		if (!out->is_function)
			return true;
		out->returns = read_type(out->tokens, i);
		out->sure = true;
		if (!read_parameters(out, i + 2))
			out->sure = false;
		drop_void(out);
		return true;
	}
	return false;
}

/* Passes over what stands in braces. */
static void skip_braces(struct ctoken_reader *reader)
{
	size_t depth = 1;

	while (depth > 0) {
		struct token token = ctoken_next(reader);

		if (token.kind == TOKEN_END)
			return;
		depth += token_is(&token, "{");
		depth -= token_is(&token, "}");
	}
}

/*
 * The tokens of the next declaration outside of all braces.  What stands in
 * braces is passed over; a body ends it.
 */
static bool take_declaration(
	struct ctoken_reader *reader, struct declaration *out)
{
	out->n_tokens = 0;
	for (;;) {
		struct token token = ctoken_next(reader);

		if (token.kind == TOKEN_END)
			return out->n_tokens > 0;
		if (token_is(&token, ";") || token_is(&token, "}"))
			return true;
		if (token_is(&token, "{")) {
			out->has_body = true;
			skip_braces(reader);
			return true;
		}
		if (out->n_tokens < DECLARATION_TOKENS_MAX)
			out->tokens[out->n_tokens++] = token;
	}
}

bool declaration_find(
	const char *data, size_t len, const char *name, struct declaration *out)
{
	struct declaration *next = malloc(sizeof(*next));
	struct ctoken_reader reader;
	bool found = false, twice = false;

	if (!next)
		return false;
	ctoken_start(&reader, data, len);
	for (;;) {
		*next = (struct declaration){0};
		if (!take_declaration(&reader, next))
			break;
		if (!read_declaration(next, name))
			continue;
		twice |= found && out->has_body && next->has_body;
		if (found && (out->has_body || !next->has_body))
			continue;
		found = true;
		*out = *next;
		/* Parameters point into the tokens beside them. */
		for (size_t i = 0; i < out->n_parameters; i++)
			out->parameters[i].tokens = out->tokens +
				(next->parameters[i].tokens - next->tokens);
	}
	free(next);
	return found && !twice;
}

void declaration_read_parameter(const char *text, struct declaration *out)
{
	struct ctoken_reader reader;

	*out = (struct declaration){.sure = true};
	ctoken_start(&reader, text, strlen(text));
	while (out->n_tokens < DECLARATION_TOKENS_MAX) {
		struct token token = ctoken_next(&reader);

		if (token.kind == TOKEN_END)
			break;
		out->tokens[out->n_tokens++] = token;
	}
	add_parameter(out, out->tokens, out->n_tokens);
}
