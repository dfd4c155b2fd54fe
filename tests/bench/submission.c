/* SPDX-License-Identifier: MIT */

/*
 * A whole report, from source to text, of a submission that was never seen
 * before: what a learner waits for.  The exercise's own programs come from the
 * cache, as they do for everybody but its first user.  The compiler, alone, on
 * the same file is the measure: most of grading is compiling.
 */

#include "base/error.h"
#include "base/file.h"
#include "tests/bench/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define EXERCISE "exercises/attention"
#define SOLUTION EXERCISE "/solution.c"
/* No known mistake: all of them are tried, singly and together. */
#define FAILING "tests/submissions/wrong/odd_window_of_3.c"

/* What saying why it failed may cost over twice the compiler's. */
static const double saying_why_us = 100e3;

static char *read_source(const char *path)
{
	struct error err = {0};
	char *text;
	size_t len;

	if (!file_read(path, 1 << 20, &text, &len, &err))
		bench_fail("%s", err.message);
	return text;
}

/* The same program in other bytes: no cache has seen it. */
static void write_variant(const struct bench *bench, const char *text, size_t n)
{
	size_t size = 1 << 21;
	char *variant = malloc(size);

	if (!variant)
		bench_fail("no memory");
	/* What solve.h has, which gcc alone does not get. */
	snprintf(variant, size,
		"/* number %zu of this run */\n#include <stdbool.h>\n"
		"#include <stddef.h>\n%s",
		n, text);
	write_file(bench->dir, "solve.c", variant);
	free(variant);
}

/* Of each pair of measurements; the grading's exit status is known. */
struct series {
	double *cpu, *wall, *gcc_cpu, *gcc_wall;
};

static void measure(const struct bench *bench, const char *path, int status,
	const struct series *series)
{
	char file[PATH_MAX], object[PATH_MAX];
	const char *const grade[] = {
		bench->grader, "grade", EXERCISE, file, NULL};
	const char *const compile[] = {"gcc", "-O2", "-g", "-Wall", "-Wextra",
		"-c", file, "-o", object, NULL};
	char *text = read_source(path);

	snprintf(file, sizeof(file), "%s/solve.c", bench->dir);
	snprintf(object, sizeof(object), "%s/solve.o", bench->dir);
	write_variant(bench, text, 0);
	measure_command(grade, status); /* fills the cache */
	measure_command(compile, 0);
	for (size_t i = 0; i < bench->pairs; i++) {
		struct cost ours, gcc;

		write_variant(bench, text, i + 1);
		ours = measure_command(grade, status);
		gcc = measure_command(compile, 0);
		series->cpu[i] = ours.cpu;
		series->wall[i] = ours.wall;
		series->gcc_cpu[i] = gcc.cpu;
		series->gcc_wall[i] = gcc.wall;
	}
	free(text);
}

void bench_submission(const struct bench *bench, struct row *rows)
{
	const char *const base = "gcc -O2 -g -Wall -Wextra -c";
	double *numbers = calloc(bench->pairs * 4, sizeof(*numbers));
	const struct series series = {numbers, numbers + bench->pairs,
		numbers + 2 * bench->pairs, numbers + 3 * bench->pairs};

	if (!numbers)
		bench_fail("no memory");
	measure(bench, SOLUTION, 0, &series);
	rows[0] = (struct row){.name = "grade a new submission, CPU",
		.unit = "ms",
		.base_name = base,
		.bar = 1.25};
	row_compare(&rows[0], series.cpu, series.gcc_cpu, bench->pairs, 1e3);
	rows[1] = (struct row){.name = "grade a new submission, wall",
		.unit = "ms",
		.base_name = base};
	row_compare(&rows[1], series.wall, series.gcc_wall, bench->pairs, 1e3);
	measure(bench, FAILING, 1, &series);
	for (size_t i = 0; i < bench->pairs; i++)
		series.cpu[i] -= saying_why_us;
	rows[2] = (struct row){
		.name = "grade a new one that fails, less 100 ms, CPU",
		.unit = "ms",
		.base_name = base,
		.bar = 2};
	row_compare(&rows[2], series.cpu, series.gcc_cpu, bench->pairs, 1e3);
	free(numbers);
}
