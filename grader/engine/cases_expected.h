/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CASES_EXPECTED_H
#define GRADER_ENGINE_CASES_EXPECTED_H

/*
 * Holds the values that an exercise gives as "expected" against those that its
 * reference computed.  Submissions are held against the reference alone; this
 * keeps the examples that a lesson prints true.
 */

#include "grader/engine/cases.h"

/*
 * All digits given have to be those of the reference, rounded.  If not,
 * ERROR_EXERCISE:
 *
 *   exercises/attention/exercise.json:28: case example-1: expected.output[0][0]
 *   is 6.69763, but the reference computes 6.69761549326657
 */
bool cases_check_expected(const struct case_list *list, struct error *err)
	__attribute__((warn_unused_result));

#endif
