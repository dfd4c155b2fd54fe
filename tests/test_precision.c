/* SPDX-License-Identifier: MIT */
#include "grader/engine/precision.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/engine/places.h"
#include "grader/report/loss.h"
#include "tests/suites.h"

#include <math.h>
#include <string.h>

static struct arena *arena;

static void set_up(void)
{
	struct error err;

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
}

/* How near outputs come ---------------------------------------------------- */

static const struct parameter output = {
	.name = "y", .type = TYPE_DOUBLE, .is_array = true, .output = true};
static const struct function function = {
	.name = "f", .parameters = &output, .n_parameters = 1};

static struct closeness measure(const double want[4], const double have[4])
{
	const struct value expected[2] = {{.data = (void *)(uintptr_t)want,
		.count = 4,
		.n_axes = 2,
		.shape = {2, 2}}};
	const struct value outputs[2] = {
		{.data = (void *)(uintptr_t)have, .count = 4}};

	return precision_measure(&function, expected, outputs);
}

START_TEST(an_error_is_measured_by_its_column)
{
	const double want[4] = {1000, 1, 1000, 2};

	ck_assert_double_eq_tol(
		measure(want, (double[]){1000, 1.5, 1000, 2}).column_error,
		0.25, 1e-12);
	ck_assert_double_eq_tol(
		measure(want, (double[]){1000.5, 1, 1000, 2}).column_error,
		0.0005, 1e-12);
	ck_assert_double_eq(measure(want, want).column_error, 0);
}
END_TEST

START_TEST(what_is_not_finite_is_not_near)
{
	const double want[4] = {1, 1, 1, 1};

	ck_assert(isinf(measure(want, (double[]){1, NAN, 1, 1}).column_error));
	ck_assert(isinf(
		measure(want, (double[]){1, 1, INFINITY, 1}).column_error));
}
END_TEST

START_TEST(an_error_where_all_is_zero_is_not_small)
{
	const double want[4] = {0, 1, 0, 1};

	ck_assert(
		isinf(measure(want, (double[]){1e-12, 1, 0, 1}).column_error));
}
END_TEST

START_TEST(the_values_of_floats_are_told)
{
	const double want[4] = {0.1, 0.2, 0.3, 0.4};

	ck_assert(
		measure(want, (double[]){0.1F, 0.2F, 0.3F, 0.4F}).float_valued);
	ck_assert(
		!measure(want, (double[]){0.1F, 0.2F, 0.3F, 0.4}).float_valued);
}
END_TEST

/* What lost it ------------------------------------------------------------- */

static const struct {
	const char *source;
	double error;
	bool float_valued;
	const char *says; /* "": nothing */
} rows[] = {
	{"\nfloat x = 0;", 3e-8, false,
		"Right method, lost precision: float (line 2) keeps about 7 "
		"digits, double keeps 16"},
	{"x = sqrtf(d);", 3e-8, false,
		"Right method, lost precision: sqrtf() (line 1) works in "
		"float, with about 7 digits; sqrt() keeps 16"},
	{"float x;\n\ny = expf(x);", 3e-8, true,
		"Right method, lost precision: float (line 1) and expf() "
		"(line 3) keep about 7 digits, double keeps 16"},
	{"x = pow(2.718, y);", 2e-4 / 3, false,
		"Right method, lost precision: the number 2.718 (line 1) has "
		"only 4 digits, a double keeps 16"},
	{"number x;", 3e-8, true,
		"Right method, lost precision: every number that comes out is "
		"one that float can hold, and float keeps about 7 digits"},
	/* Nothing explains it, or something else might. */
	{"double x;", 3e-8, false, ""},
	{"number x = y + 1e-8;", 3e-8, true, ""},
	{"x = pow(2.718, y) / 1.414;", 2e-4 / 3, false, ""},
	{"x = pow(2.718281828459045, y);", 2e-5, false, ""},
	{"x = pow(2.71828182845, y);", 2e-5, false, ""},
	{"x = y * 0.125;", 2e-5, false, ""},
	{"// float\nx = \"float sqrtf(2.718)\";", 3e-8, false, ""},
	/* More than float loses, or all. */
	{"float x;", 5e-5, false, ""},
	{"float x;", 2e-4, false, ""},
	{"float x;", INFINITY, false, ""},
	{"float x;", 0, false, ""},
};

static struct precision find(const struct case_grade *graded, size_t n,
	const char *source, bool renumbered)
{
	struct places places;
	struct error err;

	ck_assert(places_read(&places, source, strlen(source), arena, &err));
	return precision_find(graded, n, &places, renumbered);
}

static void check_says(const struct precision *found, const char *says)
{
	struct text out = {0};

	loss_put_sentence(&out, found);
	ck_assert_str_eq(out.data ? out.data : "", says);
	text_finish(&out);
}

static const struct group formula = {.formula = true};
static const struct group other = {0};
static const struct test_case in_formula = {.group = &formula};
static const struct test_case in_other = {.group = &other};

static struct case_grade wrong(const struct test_case *test_case, double error)
{
	return (struct case_grade){.test_case = test_case,
		.verdict = VERDICT_WRONG_ANSWER,
		.closeness = {.column_error = error}};
}

START_TEST(what_lost_precision_is_in_the_source_and_fits_the_error)
{
	struct case_grade graded = wrong(&in_formula, rows[_i].error);
	struct precision found;

	graded.closeness.float_valued = rows[_i].float_valued;
	found = find(&graded, 1, rows[_i].source, false);
	check_says(&found, rows[_i].says);
}
END_TEST

START_TEST(cases_of_the_formula_are_what_counts)
{
	struct case_grade graded[] = {
		wrong(&in_formula, 3e-8), wrong(&in_other, INFINITY)};

	ck_assert_int_eq(
		find(graded, 2, "float x;", false).loss, PRECISION_VARIABLE);
	graded[1].test_case = &in_formula;
	ck_assert_int_eq(
		find(graded, 2, "float x;", false).loss, PRECISION_KEPT);
	graded[1].hidden = true;
	ck_assert_int_eq(
		find(graded, 2, "float x;", false).loss, PRECISION_VARIABLE);
}
END_TEST

START_TEST(without_such_cases_all_count)
{
	struct case_grade graded[] = {
		wrong(&in_other, 3e-8), wrong(&in_other, 0.5)};

	ck_assert_int_eq(
		find(graded, 1, "float x;", false).loss, PRECISION_VARIABLE);
	ck_assert_int_eq(
		find(graded, 2, "float x;", false).loss, PRECISION_KEPT);
}
END_TEST

START_TEST(a_crash_is_no_lost_precision)
{
	struct case_grade graded[] = {
		wrong(&in_formula, 3e-8), wrong(&in_formula, 0)};

	graded[1].verdict = VERDICT_RUNTIME_ERROR;
	ck_assert_int_eq(
		find(graded, 2, "float x;", false).loss, PRECISION_KEPT);
}
END_TEST

START_TEST(under_line_directives_no_line_is_told)
{
	struct case_grade graded = wrong(&in_formula, 3e-8);
	struct precision found =
		find(&graded, 1, "float x; y = expf(x);", true);

	check_says(&found,
		"Right method, lost precision: float and expf() keep about 7 "
		"digits, double keeps 16");
}
END_TEST

Suite *precision_suite(void)
{
	Suite *suite = suite_create("precision");
	TCase *tcase = tcase_create("precision");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, an_error_is_measured_by_its_column);
	tcase_add_test(tcase, what_is_not_finite_is_not_near);
	tcase_add_test(tcase, an_error_where_all_is_zero_is_not_small);
	tcase_add_test(tcase, the_values_of_floats_are_told);
	tcase_add_loop_test(tcase,
		what_lost_precision_is_in_the_source_and_fits_the_error, 0,
		(int)(sizeof(rows) / sizeof(*rows)));
	tcase_add_test(tcase, cases_of_the_formula_are_what_counts);
	tcase_add_test(tcase, without_such_cases_all_count);
	tcase_add_test(tcase, a_crash_is_no_lost_precision);
	tcase_add_test(tcase, under_line_directives_no_line_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
