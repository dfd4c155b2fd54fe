/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_PRECISION_H
#define GRADER_ENGINE_PRECISION_H

/*
 * The right method, with lost precision: all outputs are nearly right.  What
 * lost it is told from how much was lost and from what stands in the source,
 * and not at all where these do not agree.  Pure.
 */

#include "grader/engine/function.h"

#include <stdbool.h>
#include <stddef.h>

struct case_grade;
struct places;

/* How near outputs come that are wrong. */
struct closeness {
	/* The largest error, as a part of the largest expected value of its
	   column (the last axis); infinite where nothing of the kind can be
	   said. */
	double column_error;
	bool float_valued; /* every double is one that float can hold */
};

enum precision_loss {
	PRECISION_KEPT,     /* or it is another mistake */
	PRECISION_VARIABLE, /* float stands in the source */
	PRECISION_FUNCTION, /* sqrtf(), expf() ... */
	PRECISION_CONSTANT, /* a number with few digits */
	PRECISION_UNKNOWN,  /* lost, who knows where */
};

enum { PRECISION_NAME_BYTES = 24 };

struct precision {
	enum precision_loss loss;
	int line; /* where it stands; 0: lines cannot be told */
	/* The function or the constant: letters, digits, "." and "_". */
	char name[PRECISION_NAME_BYTES];
	int digits;           /* of the constant */
	int function_line;    /* VARIABLE: of a function of float as well, then
				  name is its; 0: none */
	bool stored_as_float; /* all that comes out is a float's value */
};

/* expected and outputs: one per parameter, the result last. */
struct closeness precision_measure(const struct function *function,
	const struct value *expected, const struct value *outputs);

/*
 * What public cases tell, those tagged "formula" if there are any.  A mistake
 * that was named explains small errors better: then this is not asked.
 */
struct precision precision_find(const struct case_grade *cases, size_t n_cases,
	const struct places *places, bool renumbered);

#endif
