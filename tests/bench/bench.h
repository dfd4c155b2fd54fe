/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

/*
 * The measurements.  Each has a file of its own and leaves rows; bench.c
 * prints them.
 */

#include "tests/bench/measure.h"

#include <stdbool.h>
#include <stddef.h>

struct bench {
	const char *grader; /* the program */
	const char *dir;    /* for files, removed at the end */
	size_t pairs;       /* how often each side is measured */
};

/*
 * One figure.  With a base, the figure that counts is how often the base goes
 * into it: the median of the pairs' ratios; else it is the value itself.
 */
struct row {
	const char *name;
	const char *unit; /* of value and base */
	struct spread value;
	const char *base_name; /* NULL: none */
	struct spread base;
	double ratio;
	double bar; /* the most that is good enough; 0: there is no bar */
};

double row_figure(const struct row *row);

/* Fills in a row of two series of microseconds, shown in units of scale. */
void row_compare(struct row *row, double *values, double *bases, size_t count,
	double scale);

/* A submission that was never seen before, against the compiler alone; and one
   of which is to be said why it fails. */
enum { SUBMISSION_ROWS = 3 };
void bench_submission(const struct bench *bench, struct row *rows);

/* What one more small case costs. */
enum { CASE_ROWS = 2 };
void bench_cases(const struct bench *bench, struct row *rows);
/* Makes an exercise of so many cases, in the bench's folder. */
void make_tiny_exercise(
	const struct bench *bench, const char *name, size_t count);

/* Start and end of the run jail, against those of a bare process. */
enum { JAIL_ROWS = 1 };
void bench_jail(const struct bench *bench, struct row *rows);

#endif
