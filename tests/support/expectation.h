/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_EXPECTATION_H
#define TESTS_SUPPORT_EXPECTATION_H

/*
 * What the first line of a submission says must come of grading it;
 * tests/submissions/README.md has its form.
 */

#include <stdbool.h>
#include <stddef.h>

enum { EXPECTATION_VERDICTS = 3 };

struct expectation {
	/* Any of these; the first is the one where nothing is missing. */
	char verdicts[EXPECTATION_VERDICTS][24];
	size_t n_verdicts;
	char fails[256]; /* groups with commas between them; "": none named */
	char passes[256];
	char says[256];
	char not_says[256];
	/* Mistakes with commas between them, any of which must be named; "-":
	   none may be; "": nothing is said of it. */
	char names[256];
};

/* Fails the running test where the line is not of that form. */
struct expectation expectation_read(const char *path);

bool expectation_allows(const struct expectation *e, const char *verdict);

#endif
