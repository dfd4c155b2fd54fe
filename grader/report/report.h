/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_REPORT_H
#define GRADER_REPORT_REPORT_H

/*
 * What a report needs to know besides the grade.
 */

#include "grader/report/style.h"

#include <stdbool.h>
#include <stddef.h>

struct case_grade;
struct grade;
struct text;

struct report_options {
	struct style style; /* text alone */
	bool verbose;       /* text alone: every case, all that was printed */
	/* How to name the exercise in a command line, quoted where a shell
	   would want it: "attention", "--exercises 'my folder' attention". */
	const char *exercise;
	size_t hints_opened; /* so many of the exercise's hints */
	size_t rows; /* of the screen that a brief report fits on; 0: any */
};

/* A word of a command line, quoted if a shell would want it, and spelt as
   $'\033' if it has bytes that cannot be shown; with ascii, above 0x7e too. */
void report_put_word(struct text *out, const char *word, bool ascii);

/*
 * The hint to point at, from 1: the one that belongs to what was found, opened
 * or not, else the next that is closed.  0: none, as no hint could help or all
 * are open.
 */
size_t report_choose_hint(const struct grade *grade, size_t hints_opened);

/* The command that grades this one case again. */
void report_put_rerun(struct text *out, const struct grade *grade,
	const struct report_options *options, const struct case_grade *graded);

#endif
