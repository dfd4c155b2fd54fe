/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_JSON_H
#define GRADER_REPORT_JSON_H

/*
 * The report for programs, "grader/report/1": docs/report.schema.json says
 * what is in it.  The same grade gives the same bytes; only duration_ms and
 * cpu_us differ from run to run.
 */

#include <stdbool.h>

struct error;
struct grade;
struct report_options;
struct text;

bool report_put_json(struct text *out, const struct grade *grade,
	const struct report_options *options, struct error *err)
	__attribute__((warn_unused_result));

#endif
