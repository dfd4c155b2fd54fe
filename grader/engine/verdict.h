/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_VERDICT_H
#define GRADER_ENGINE_VERDICT_H

/*
 * What became of a case, and of a submission.  Pure.
 *
 * The order is that of precedence: a submission's verdict is the first of
 * these that any of its cases has.
 */

#include <stdbool.h>
#include <stddef.h>

struct call_result;

enum verdict {
	VERDICT_GRADER_ERROR, /* ours, never the learner's */
	VERDICT_COMPILE_ERROR,
	VERDICT_SECURITY_VIOLATION,
	VERDICT_TIME_LIMIT,
	VERDICT_MEMORY_LIMIT,
	VERDICT_OUTPUT_LIMIT,
	VERDICT_RUNTIME_ERROR,
	VERDICT_WRONG_ANSWER,
	VERDICT_NOT_RUN,
	VERDICT_PASS,
};

/* "RUNTIME_ERROR", as JSON spells it. */
const char *verdict_name(enum verdict verdict);

/* Of one case: matches is what compare said of the outputs, if it returned. */
enum verdict verdict_of_call(const struct call_result *result, bool matches);

/* Of several; of none it is GRADER_ERROR. */
enum verdict verdict_of_all(const enum verdict *verdicts, size_t count);

#endif
