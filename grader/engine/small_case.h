/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SMALL_CASE_H
#define GRADER_ENGINE_SMALL_CASE_H

/*
 * The smallest case in which a submission fails as it does in a given one.
 *
 *   a grade -> [small_case] -> explain
 *
 * "As it does": with the same verdict; of a wrong answer, with a number where
 * it was a number and with NaN where it was NaN; of a crash, in the same way
 * and on the same line.  Each case that counts was run in a process of its own.
 */

#include "grader/engine/grade.h"

struct small_request {
	const struct grade_request *grade;
	const struct case_grade *failed; /* of a public case */
};

struct small_case {
	/* The case fails alone, too; or else in this many calls of it in a
	   row, the test case's repeat.  If not, nothing below is set: it takes
	   what other calls left behind. */
	bool found;
	struct test_case test_case;  /* its name is the given case's */
	struct case_grade graded;    /* what becomes of it */
	const struct value *outputs; /* as in call_result; NULL: it ended */
};

/* What it finds is the arena's. */
bool small_case_find(const struct small_request *request,
	const struct tools *tools, struct arena *arena, struct small_case *out,
	struct error *err) __attribute__((warn_unused_result));

/* Whether two failures are of the same kind, in the words of above. */
bool small_case_same(const struct case_grade *a, const struct case_grade *b);

#endif
