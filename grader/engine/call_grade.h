/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CALL_GRADE_H
#define GRADER_ENGINE_CALL_GRADE_H

/*
 * What one call of the learner's function makes of its case: the verdict, and
 * what there is to tell about it.  Part of grade.
 */

#include "grader/engine/grade.h"

/* The first four are to be set. */
struct call_judge {
	const struct program *program;
	const struct build_request *build; /* that it was built from */
	uint32_t nonce;                    /* of its run */
	struct arena *arena;
	uint64_t line_pc; /* the last that was looked up: many cases crash at
			     the same place */
	int line;
};

/* Of a case that nothing has come of yet. */
struct case_grade call_not_run(const struct test_case *test_case);

/* Completes such a grade; group and points are left alone. */
bool call_grade(struct call_judge *judge, const struct call_result *result,
	struct case_grade *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
