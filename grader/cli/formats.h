/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_FORMATS_H
#define GRADER_CLI_FORMATS_H

/*
 * The formats of reports.
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct grade;
struct report_options;
struct text;

struct report_format {
	const char *name;
	bool (*put)(struct text *out, const struct grade *grade,
		const struct report_options *options, struct error *err);
};

/* An error names the formats that there are. */
const struct report_format *formats_find(const char *name, size_t len,
	struct error *err) __attribute__((warn_unused_result));

#endif
