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

static char *read_solution(void)
{
	struct error err = {0};
	char *text;
	size_t len;

	if (!file_read(EXERCISE "/solution.c", 1 << 20, &text, &len, &err))
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
	snprintf(variant, size, "/* number %zu of this run */\n%s", n, text);
	write_file(bench->dir, "solve.c", variant);
	free(variant);
}

void bench_submission(const struct bench *bench, struct row *rows)
{
	char file[PATH_MAX], object[PATH_MAX];
	const char *const grade[] = {
		bench->grader, "grade", EXERCISE, file, NULL};
	const char *const compile[] = {"gcc", "-O2", "-g", "-Wall", "-Wextra",
		"-c", file, "-o", object, NULL};
	double *series = calloc(bench->pairs * 4, sizeof(*series));
	double *cpu = series, *wall = cpu + bench->pairs;
	double *gcc_cpu = wall + bench->pairs;
	double *gcc_wall = gcc_cpu + bench->pairs;
	char *text = read_solution();

	if (!series)
		bench_fail("no memory");
	snprintf(file, sizeof(file), "%s/solve.c", bench->dir);
	snprintf(object, sizeof(object), "%s/solve.o", bench->dir);
	write_variant(bench, text, 0);
	measure_command(grade, 0); /* fills the cache */
	measure_command(compile, 0);
	for (size_t i = 0; i < bench->pairs; i++) {
		struct cost ours, gcc;

		write_variant(bench, text, i + 1);
		ours = measure_command(grade, 0);
		gcc = measure_command(compile, 0);
		cpu[i] = ours.cpu;
		wall[i] = ours.wall;
		gcc_cpu[i] = gcc.cpu;
		gcc_wall[i] = gcc.wall;
	}
	rows[0] = (struct row){.name = "grade a new submission, CPU",
		.unit = "ms",
		.base_name = "gcc -O2 -g -Wall -Wextra -c",
		.bar = 1.25};
	row_compare(&rows[0], cpu, gcc_cpu, bench->pairs, 1e3);
	rows[1] = (struct row){.name = "grade a new submission, wall",
		.unit = "ms",
		.base_name = "gcc -O2 -g -Wall -Wextra -c"};
	row_compare(&rows[1], wall, gcc_wall, bench->pairs, 1e3);
	free(series);
	free(text);
}
