/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_CASES_H
#define GRADER_REPORT_CASES_H

/*
 * The cases of an exercise: inputs, expected values, tolerances.
 *
 * Hidden cases are left out unless they are asked for, and their seeds are
 * never told.
 */

#include "grader/engine/cases.h"

#include <stdbool.h>

struct style;
struct test_case;
struct text;

struct cases_view {
	const struct exercise *exercise;
	const struct case_list *list;
	uint64_t seed;
	bool hidden; /* show hidden cases, too */
	bool whole;  /* text alone: large arrays in full */
};

size_t cases_count_hidden(const struct cases_view *view);

/* Scalars on a line, then each input array row by row. */
void cases_put_inputs(struct text *out, const struct style *style,
	const struct test_case *test);

void cases_put_text(struct text *out, const struct style *style,
	const struct cases_view *view);

/* {"exercise", "seed", "cases": [{"name", "group", "function", "visibility",
   "seed", "inputs", "expected", "tolerance"}]}: arrays nested as their shape
   says, every double such that it reads back to the same bits. */
bool cases_put_json(struct text *out, const struct cases_view *view,
	struct error *err) __attribute__((warn_unused_result));

#endif
