/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_DECLARATION_H
#define GRADER_ENGINE_DECLARATION_H

/*
 * Finds where C source declares a function, and reads the types there as far
 * as that can be done without a compiler: words it does not know (typedefs,
 * macros) make a type unsure.
 */

#include "grader/engine/ctoken.h"

enum {
	DECLARATION_TOKENS_MAX = 512,
	DECLARATION_PARAMETERS_MAX = 64,
	TYPE_LEVELS_MAX = 12,
};

/* Like a parameter's type after C has adjusted it. */
struct ctype {
	bool sure;        /* the rest says something only then */
	const char *base; /* "double", "unsigned long" ... */
	bool is_const;    /* the base is */
	/* From the outside in: 'p' for a pointer, 'a' for an array behind a
	   pointer; "" for a scalar. */
	char levels[TYPE_LEVELS_MAX + 1];
	long bounds[TYPE_LEVELS_MAX]; /* of arrays; 0: not a plain number */
};

bool ctype_equal(const struct ctype *a, const struct ctype *b);

struct declared_parameter {
	const struct token *tokens;
	size_t n_tokens;
	struct ctype type;
};

struct declaration {
	bool is_function; /* false: a variable or the like */
	bool has_body;
	int line;
	struct token tokens[DECLARATION_TOKENS_MAX];
	size_t n_tokens;
	struct ctype returns;
	struct declared_parameter parameters[DECLARATION_PARAMETERS_MAX];
	size_t n_parameters;
	bool sure; /* how many parameters there are is known */
};

/* The first with a body, else the first; false if there is none, or if there
   are several with bodies. */
bool declaration_find(const char *data, size_t len, const char *name,
	struct declaration *out);

/* A parameter alone: "const double Q[Tq][d]". */
void declaration_read_parameter(const char *text, struct declaration *out);

#endif
