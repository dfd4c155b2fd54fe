/* SPDX-License-Identifier: MIT */

/*
 * What one more small case costs, all in: drawing it, its expected values, the
 * call, the comparison and its part of the report.  An exercise of 2,000 cases
 * of four numbers is graded in turn with the same exercise of one case; the
 * difference, divided, is a case.
 */

#include "tests/bench/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MANY = 2000 };

static const char definition[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"%s\",\n"
	" \"title\": \"Squares\", \"summary\": \"Squares four numbers.\",\n"
	" \"seed\": 1,\n"
	" \"functions\": [{\"name\": \"solve\", \"parameters\": [\n"
	"  {\"name\": \"n\", \"type\": \"size_t\", \"says\": \"how many\"},\n"
	"  {\"name\": \"x\", \"type\": \"double\", \"dims\": [\"n\"],\n"
	"   \"says\": \"the numbers\"},\n"
	"  {\"name\": \"output\", \"type\": \"double\", \"dims\": [\"n\"],\n"
	"   \"direction\": \"out\", \"says\": \"their squares\"}]}],\n"
	" \"groups\": [{\"name\": \"plain\", \"title\": \"plain\",\n"
	"  \"function\": \"solve\", \"points\": 1,\n"
	"  \"visibility\": \"public\", \"cases\": [\n"
	"  {\"name\": \"plain\", \"count\": %zu,\n"
	"   \"inputs\": {\"n\": 4, \"x\": {\"normal\": [0, 1]}}}]}],\n"
	" \"hints\": [{\"title\": \"Multiply\", \"text\": \"x times x.\"}],\n"
	" \"watch_out\": [], \"steps\": [\"multiply\"]}\n";

static const char solution[] =
	"#include <stddef.h>\n"
	"void solve(size_t n, const double x[n], double output[n])\n"
	"{\n"
	"	for (size_t i = 0; i < n; i++)\n"
	"		output[i] = x[i] * x[i];\n"
	"}\n";

static const char reference[] =
	"#include <stddef.h>\n"
	"void reference_solve(size_t n, const double x[n], double output[n],\n"
	"	double output_tolerance[n])\n"
	"{\n"
	"	for (size_t i = 0; i < n; i++) {\n"
	"		output[i] = x[i] * x[i];\n"
	"		output_tolerance[i] = 1e-12 * output[i];\n"
	"	}\n"
	"}\n";

void make_tiny_exercise(
	const struct bench *bench, const char *name, size_t count)
{
	char dir[PATH_MAX], text[4096];

	snprintf(dir, sizeof(dir), "%s/%s", bench->dir, name);
	if (mkdir(dir, 0755) != 0)
		bench_fail("cannot make %s", dir);
	snprintf(text, sizeof(text), definition, name, count);
	write_file(dir, "exercise.json", text);
	write_file(dir, "lesson.md", "# Squares\n");
	write_file(dir, "solution.c", solution);
	write_file(dir, "reference.c", reference);
}

static void row_of_difference(
	struct row *row, double *many, double *one, size_t count)
{
	for (size_t i = 0; i < count; i++)
		many[i] = (many[i] - one[i]) / (MANY - 1);
	row->value = spread_of(many, count);
}

void bench_cases(const struct bench *bench, struct row *rows)
{
	char many[PATH_MAX], one[PATH_MAX], file[PATH_MAX];
	const char *const grade_many[] = {
		bench->grader, "grade", many, file, NULL};
	const char *const grade_one[] = {
		bench->grader, "grade", one, file, NULL};
	double *series = calloc(bench->pairs * 4, sizeof(*series));
	double *many_cpu = series, *many_wall = many_cpu + bench->pairs;
	double *one_cpu = many_wall + bench->pairs;
	double *one_wall = one_cpu + bench->pairs;

	if (!series)
		bench_fail("no memory");
	make_tiny_exercise(bench, "many", MANY);
	make_tiny_exercise(bench, "one", 1);
	snprintf(many, sizeof(many), "%s/many", bench->dir);
	snprintf(one, sizeof(one), "%s/one", bench->dir);
	snprintf(file, sizeof(file), "%s/one/solution.c", bench->dir);
	measure_command(grade_many, 0); /* fills the cache */
	measure_command(grade_one, 0);
	for (size_t i = 0; i < bench->pairs; i++) {
		struct cost cost = measure_command(grade_many, 0);

		many_cpu[i] = cost.cpu;
		many_wall[i] = cost.wall;
		cost = measure_command(grade_one, 0);
		one_cpu[i] = cost.cpu;
		one_wall[i] = cost.wall;
	}
	rows[0] = (struct row){
		.name = "one more small case, CPU", .unit = "us", .bar = 5};
	row_of_difference(&rows[0], many_cpu, one_cpu, bench->pairs);
	rows[1] =
		(struct row){.name = "one more small case, wall", .unit = "us"};
	row_of_difference(&rows[1], many_wall, one_wall, bench->pairs);
	free(series);
}
