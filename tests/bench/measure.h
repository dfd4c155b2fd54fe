/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_MEASURE_H
#define TESTS_BENCH_MEASURE_H

/*
 * What a command costs, and what many costs look like.
 *
 * Two things are compared by measuring them in turn, never one after all of
 * the other: a machine that slows down for a while then slows both.
 */

#include <stddef.h>

/* Microseconds.  CPU is that of the command and of all it waited for. */
struct cost {
	double cpu;
	double wall;
};

/* The middle of many values, and between what half of them lie. */
struct spread {
	double median;
	double low;
	double high;
};

/* Says what went wrong and ends the program with status 2. */
_Noreturn void bench_fail(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* A monotonic clock, in microseconds. */
double now_us(void);

/*
 * Runs argv[0] by fork and exec with nothing to read and its standard output
 * thrown away; it must end with the status that is wanted.
 */
struct cost measure_command(const char *const argv[], int wanted_status);

/* Sorts the values. */
struct spread spread_of(double *values, size_t count);

/* Writes a file; dir and name make up the path. */
void write_file(const char *dir, const char *name, const char *text);

#endif
