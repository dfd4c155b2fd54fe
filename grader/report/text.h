/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_TEXT_H
#define GRADER_REPORT_TEXT_H

/*
 * The report for people.
 *
 * One screen: how the groups went, the first failing case of each in full, the
 * points, what the submission printed, what to do next; all cases if verbose.
 */

struct grade;
struct report_options;
struct text;

void report_put_text(struct text *out, const struct grade *grade,
	const struct report_options *options);

/* The points and what failed first, of options->rows lines at most: what is
   read after every save. */
void report_put_brief(struct text *out, const struct grade *grade,
	const struct report_options *options);

/* The failing cases, a line each; what the compiler says if there are none. */
void report_put_failing(struct text *out, const struct grade *grade,
	const struct report_options *options);

#endif
