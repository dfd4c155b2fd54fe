/* SPDX-License-Identifier: MIT */

/*
 * What grading costs, beside what the same machine needs for something that
 * everybody knows.  Ratios can be compared between machines, times cannot.
 *
 *   bench [--pairs N] [--json FILE] GRADER
 *
 * Exits 0 if every bar holds, 1 if one does not, 2 if it could not measure.
 */

#include "tests/bench/bench.h"

#include <cjson/cJSON.h>
#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = SUBMISSION_ROWS + CASE_ROWS + JAIL_ROWS, PAIRS = 30 };

double row_figure(const struct row *row)
{
	return row->base_name ? row->ratio : row->value.median;
}

static bool row_holds(const struct row *row)
{
	return row->bar == 0 || row_figure(row) <= row->bar;
}

void row_compare(struct row *row, double *values, double *bases, size_t count,
	double scale)
{
	double *ratios = calloc(count, sizeof(*ratios));

	if (!ratios)
		bench_fail("no memory");
	for (size_t i = 0; i < count; i++) {
		ratios[i] = values[i] / bases[i];
		values[i] /= scale;
		bases[i] /= scale;
	}
	row->ratio = spread_of(ratios, count).median;
	row->value = spread_of(values, count);
	row->base = spread_of(bases, count);
	free(ratios);
}

static void print_spread(const struct spread *spread, const char *unit)
{
	printf(" %7.2f %s (%.2f to %.2f)", spread->median, unit, spread->low,
		spread->high);
}

static void print_row(const struct row *row)
{
	printf("%s\n   ", row->name);
	print_spread(&row->value, row->unit);
	if (row->base_name) {
		printf("\n   ");
		print_spread(&row->base, row->unit);
		printf("  %s\n    %7.2f times that", row->base_name,
			row->ratio);
	}
	if (row->bar != 0)
		printf("; at most %g wanted: %s", row->bar,
			row_holds(row) ? "holds" : "DOES NOT HOLD");
	printf("\n");
}

static void add_spread(cJSON *object, const char *name, struct spread spread)
{
	const double values[] = {spread.low, spread.median, spread.high};

	cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(values, 3));
}

static void write_json(const struct row *rows, const char *path)
{
	cJSON *all = cJSON_CreateArray();
	char *text;
	FILE *file;

	for (size_t i = 0; i < ROWS; i++) {
		cJSON *row = cJSON_CreateObject();

		cJSON_AddStringToObject(row, "name", rows[i].name);
		cJSON_AddStringToObject(row, "unit", rows[i].unit);
		add_spread(row, "value", rows[i].value);
		if (rows[i].base_name) {
			cJSON_AddStringToObject(
				row, "base_name", rows[i].base_name);
			add_spread(row, "base", rows[i].base);
			cJSON_AddNumberToObject(row, "ratio", rows[i].ratio);
		}
		if (rows[i].bar != 0)
			cJSON_AddNumberToObject(row, "bar", rows[i].bar);
		cJSON_AddBoolToObject(row, "holds", row_holds(&rows[i]));
		cJSON_AddItemToArray(all, row);
	}
	text = cJSON_Print(all);
	file = fopen(path, "we");
	if (!text || !file || fprintf(file, "%s\n", text) < 0 ||
		fclose(file) != 0)
		bench_fail("cannot write %s", path);
	free(text);
	cJSON_Delete(all);
}

static int remove_entry(
	const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static char dir[] = "/tmp/grader-bench-XXXXXX";

static void remove_dir(void)
{
	nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static _Noreturn void usage(void)
{
	bench_fail("usage: bench [--pairs N] [--json FILE] GRADER");
}

static void parse(
	int argc, char **argv, struct bench *bench, const char **json_out)
{
	static const struct option options[] = {
		{"pairs", required_argument, NULL, 'p'},
		{"json", required_argument, NULL, 'j'}, {0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'p')
			bench->pairs = strtoul(optarg, NULL, 10);
		else if (option == 'j')
			*json_out = optarg;
		else
			usage();
	}
	if (optind != argc - 1 || bench->pairs == 0 || bench->pairs > 10000)
		usage();
	bench->grader = argv[optind];
}

int main(int argc, char **argv)
{
	struct bench bench = {.dir = dir, .pairs = PAIRS};
	struct row rows[ROWS] = {0};
	const char *json = NULL;
	char cache[PATH_MAX];
	bool good = true;

	parse(argc, argv, &bench, &json);
	if (!mkdtemp(dir))
		bench_fail("cannot make %s", dir);
	atexit(remove_dir);
	/* A cache of our own, so that what it holds is known. */
	snprintf(cache, sizeof(cache), "%s/cache", dir);
	setenv("XDG_CACHE_HOME", cache, 1);

	bench_submission(&bench, rows);
	bench_cases(&bench, rows + SUBMISSION_ROWS);
	bench_jail(&bench, rows + SUBMISSION_ROWS + CASE_ROWS);

	printf("Medians of %zu pairs, in brackets the middle half.\n\n",
		bench.pairs);
	for (size_t i = 0; i < ROWS; i++) {
		print_row(&rows[i]);
		good = good && row_holds(&rows[i]);
	}
	if (json)
		write_json(rows, json);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
