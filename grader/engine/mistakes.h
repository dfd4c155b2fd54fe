/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_MISTAKES_H
#define GRADER_ENGINE_MISTAKES_H

/*
 * Which of the known mistakes of an exercise come to what a learner's function
 * came to.  Part of diagnose.
 *
 * The search runs in the program that mistakes.c becomes: it is handed cases
 * with the learner's outputs, and tries no mistake, each mistake alone, pairs,
 * and triples of those that each stage names first, until some agree with all
 * cases of the formula.  On top of these it tries the mistakes that show with
 * large numbers alone, singly and in pairs, on the cases with such numbers.
 *
 * Agreeing is: for each element, |a - b| <= 1e-7 (|a| + the largest |a| of the
 * array), and NaN for NaN; 1e-4 of a float; the same bytes of other types.
 */

#include "grader/engine/cases.h"
#include "grader/engine/exercise.h"

struct arena;
struct error;
struct tools;

/* A case, and what came of a call whose outputs were filled with
   fill_finite(). */
struct evidence {
	const struct test_case *test_case;
	const struct value *outputs; /* per parameter, and the result last */
	bool formula;                /* of that tag; else of "range" */
};

enum {
	MISTAKE_SETS_MAX = 8,
	EVIDENCE_MAX = 4096,
};

/* Per stage the number of the mistake, from 1; 0: that stage is right. */
struct mistake_set {
	int choice[STAGES_MAX];
};

/* Sets of as few mistakes as will do; those with the likeliest first. */
struct mistake_search {
	/* Those that agree on all cases of the formula. */
	struct mistake_set formula[MISTAKE_SETS_MAX];
	size_t n_formula;
	/* Those, and on top of them others, that agree on all cases. */
	struct mistake_set all[MISTAKE_SETS_MAX];
	size_t n_all;
};

struct mistake_request {
	const struct exercise *exercise;
	const struct evidence *evidence;
	size_t count; /* at most EVIDENCE_MAX of them are used */
};

/*
 * A mistakes.c that does not compile or crashes is ERROR_EXERCISE and names
 * the file.
 */
bool mistakes_search(const struct mistake_request *request,
	const struct tools *tools, struct arena *arena,
	struct mistake_search *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
