/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SHRINK_H
#define GRADER_ENGINE_SHRINK_H

/*
 * Makes a case that fails as small as it can be.  Pure but for a callback.
 *
 * Sizes come first: rows and columns are left out of all arrays that a size is
 * of.  Then values: truth values become false, arrays that may be absent are
 * left out, and numbers become ones that are easier to follow, small whole
 * ones best of all; none grows beyond what it was, or 1.  What is left is such
 * that no single step makes it smaller, unless the rounds ran out.  The same
 * case and the same answers give the same result.
 *
 * Whether a function is meant for a case is for the callback to know.  Lists
 * whose sizes are spliced keep their length.
 */

#include "grader/engine/function.h"

struct arena;
struct error;

struct shrink_case {
	struct value *arguments; /* per parameter; outputs: shape, no data */
	size_t repeat;           /* how often it is called in a row */
};

/*
 * Sets *found_out to the first of these that fails as it should, or to count.
 * arena is for the time of the call.
 */
typedef bool shrink_test(void *context, const struct shrink_case *candidates,
	size_t count, struct arena *arena, size_t *found_out,
	struct error *err);

struct shrink_request {
	const struct function *function;
	struct shrink_case start;
	shrink_test *test;
	void *context;
	size_t rounds_max; /* calls of test */
};

/* What it finds is the arena's. */
bool shrink(const struct shrink_request *request, struct arena *arena,
	struct shrink_case *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
