/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

/*
 * A grade made by hand, for tests of what is written from it: two groups of
 * two public cases and one of a hidden case, all of them passed.  Tests change
 * what they are about.
 */

#include "grader/engine/grade.h"
#include "grader/report/report.h"

enum { SAMPLE_CASES = 5, SAMPLE_GROUPS = 3, SAMPLE_LAYERS = 3 };

/* Indices of sample_function()'s parameters: solve(size_t Tq, size_t d,
   const double Q[Tq][d], const bool *mask, double output[Tq][d]). */
enum sample_parameter {
	SAMPLE_TQ,
	SAMPLE_D,
	SAMPLE_Q,
	SAMPLE_MASK,
	SAMPLE_OUTPUT,
	SAMPLE_PARAMETERS,
};

struct sample {
	struct exercise exercise;
	struct exercise_limits limits;
	struct value arguments[SAMPLE_PARAMETERS]; /* 5 rows of 3 */
	struct test_case test_case;
	struct group_grade groups[SAMPLE_GROUPS];
	struct case_grade cases[SAMPLE_CASES];
	struct layer layers[SAMPLE_LAYERS];
	struct grade grade;
	struct report_options options; /* 80 columns, no colours, UTF-8 */
};

void sample_init(struct sample *sample);
const struct function *sample_function(void);

/* Makes one of the cases fail, and the grade with it. */
struct case_grade *sample_fail(
	struct sample *sample, size_t index, enum verdict verdict);

/* The same with an output element that is not what was expected. */
struct case_grade *sample_fail_with(
	struct sample *sample, size_t index, double expected, double got);

#endif
