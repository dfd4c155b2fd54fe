/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_EXPLAINED_H
#define GRADER_REPORT_EXPLAINED_H

/*
 * A failure, and the smallest case that shows it, for people.
 */

#include <stdint.h>

struct case_grade;
struct grade;
struct report_options;
struct small_case;
struct text;

struct explained_view {
	const struct grade *grade; /* of the submission */
	const struct report_options *options;
	const struct case_grade *failed;
	uint64_t seed;                   /* that it was drawn with */
	const struct case_grade *hidden; /* that failed stands for; or NULL */
	const struct small_case *small;
	const char *steps;     /* it worked step by step, or NULL */
	const char *main_file; /* that it was written to, or NULL */
};

void explained_put(struct text *out, const struct explained_view *view);

#endif
