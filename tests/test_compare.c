/* SPDX-License-Identifier: MIT */
#include "grader/engine/compare.h"
#include "tests/suites.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What one element is held against, one row for each rule. */
static const struct {
	const char *rule;
	double expected, tolerance, got;
	bool equal;
	int wrong_digit;
} rows[] = {
	{"the same number", 1.5, 0, 1.5, true, 0},
	{"within the tolerance", 1.5, 0.1, 1.6 - 0.01, true, 0},
	{"at the tolerance", 1.5, 0.25, 1.75, true, 0},
	{"past the tolerance", 1.5, 0.25, 1.75 + 1e-12, false, 2},
	{"-0.0 is 0.0", 0.0, 0, -0.0, true, 0},
	{"NaN is no number", 1.5, 1e300, NAN, false, 0},
	{"+Inf is no number", 1.5, INFINITY, INFINITY, false, 0},
	{"-Inf is not +Inf", INFINITY, INFINITY, -INFINITY, false, 0},
	{"+Inf is +Inf", INFINITY, 0, INFINITY, true, 0},
	{"NaN was expected", NAN, 0, NAN, true, 0},
	{"NaN was expected, a number came", NAN, 1, 0, false, 0},
	{"a tolerance that is NaN lets nothing pass", 1, NAN, 1, false, 0},
	{"the first digit", 6.69762, 1e-9, 7.310586, false, 1},
	{"the second digit", 1.20034, 1e-9, 1.417702, false, 2},
	{"the first digit after the zeros", 0.41823, 1e-9, 0.518374, false, 1},
	{"the other sign", 2.0, 1e-9, -2.0, false, 1},
	{"the eighth digit", 3.0, 1e-12, 3.0000001, false, 8},
	{"far too big", 1.0, 1e-9, 1e300, false, 1},
	{"no digits where 0 was expected", 0.0, 1e-9, 0.5, false, 0},
	{"the overflow of an error", DBL_MAX, 1, -DBL_MAX, false, 0},
};

/* The verdict and the state of the element, which must agree. */
static struct mismatch compare_one(
	double expected, double tolerance, double got)
{
	static const struct parameter output = {.name = "x",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.output = true};
	static const struct function function = {
		.name = "f", .parameters = &output, .n_parameters = 1};
	const struct value e[2] = {{.data = &expected, .count = 1}};
	const struct value t[2] = {{.data = &tolerance, .count = 1}};
	const struct value g[2] = {{.data = &got, .count = 1}};
	const struct mismatch m = compare_outputs(&function, e, t, g);
	unsigned char state;

	compare_elements(TYPE_DOUBLE, e, t, g, &state);
	ck_assert_uint_eq(state,
		!m.found             ? ELEMENT_RIGHT
			: isnan(got) ? ELEMENT_NAN
				     : ELEMENT_WRONG);
	return m;
}

START_TEST(every_rule_of_one_number_holds)
{
	const struct mismatch m = compare_one(
		rows[_i].expected, rows[_i].tolerance, rows[_i].got);

	ck_assert_msg(m.found == !rows[_i].equal, "%s", rows[_i].rule);
	ck_assert_msg(m.wrong_digit == rows[_i].wrong_digit,
		"%s: digit %d is wrong", rows[_i].rule, m.wrong_digit);
	ck_assert_uint_eq(m.n_wrong, !rows[_i].equal);
}
END_TEST

/* int f(double a[2][2], float b[2], bool c[3], const double in[1]) */
static const struct parameter several[] = {
	{.name = "a", .type = TYPE_DOUBLE, .is_array = true, .output = true},
	{.name = "b", .type = TYPE_FLOAT, .is_array = true, .output = true},
	{.name = "c", .type = TYPE_BOOL, .is_array = true, .output = true},
	{.name = "in", .type = TYPE_DOUBLE, .is_array = true},
};
static const struct function function = {
	.name = "f",
	.parameters = several,
	.n_parameters = 4,
	.returns = true,
	.return_type = TYPE_INT,
};

struct outputs {
	double a[4];
	float b[2];
	bool c[3];
	int result;
};

static struct mismatch compare_several(
	const struct outputs *expected, const struct outputs *got)
{
	double tolerance[4] = {1e-9, 1e-9, 1e-9, 1e-9};
	struct outputs e = *expected;
	struct outputs g = *got;
	const struct value want[5] = {{.data = e.a, .count = 4},
		{.data = e.b, .count = 2}, {.data = e.c, .count = 3}, {0},
		{.data = &e.result, .count = 1}};
	const struct value have[5] = {{.data = g.a, .count = 4},
		{.data = g.b, .count = 2}, {.data = g.c, .count = 3}, {0},
		{.data = &g.result, .count = 1}};
	const struct value within[5] = {{.data = tolerance, .count = 4},
		{.data = tolerance, .count = 2}};

	return compare_outputs(&function, want, within, have);
}

static const struct outputs good = {
	{1, 2, 3, 4}, {0.5F, 0.25F}, {true, false, true}, -7};

START_TEST(equal_outputs_have_no_mismatch)
{
	const struct mismatch m = compare_several(&good, &good);

	ck_assert(!m.found);
	ck_assert(!m.lost_precision);
	ck_assert_uint_eq(m.n_elements, 10);
}
END_TEST

START_TEST(the_first_wrong_element_is_told_and_all_are_counted)
{
	struct outputs bad = good;
	struct mismatch m;

	bad.a[2] = 5;
	bad.a[3] = 5;
	bad.c[0] = false;
	m = compare_several(&good, &bad);
	ck_assert(m.found);
	ck_assert_uint_eq(m.output, 0);
	ck_assert_uint_eq(m.element, 2);
	ck_assert_uint_eq(m.n_wrong, 3);
	ck_assert_double_eq(m.expected, 3);
	ck_assert_double_eq(m.got, 5);
	ck_assert_double_eq(m.error, 2);
}
END_TEST

START_TEST(a_result_is_compared_as_the_last_output)
{
	struct outputs bad = good;
	struct mismatch m;

	bad.result = 7;
	m = compare_several(&good, &bad);
	ck_assert(m.found);
	ck_assert_uint_eq(m.output, 4);
	ck_assert_int_eq(m.expected_number, -7);
	ck_assert_int_eq(m.got_number, 7);
}
END_TEST

START_TEST(a_bool_that_is_neither_false_nor_true_is_wrong)
{
	struct outputs bad = good;
	struct mismatch m;

	memset(&bad.c[2], 0xa5, 1);
	m = compare_several(&good, &bad);
	ck_assert(m.found);
	ck_assert_uint_eq(m.output, 2);
	ck_assert_uint_eq(m.element, 2);
	ck_assert_int_eq(m.got_number, 0xa5);
}
END_TEST

START_TEST(errors_of_the_size_of_float_are_lost_precision)
{
	struct outputs bad = good;

	bad.a[0] = (double)(1.1F) / 1.1;
	ck_assert(compare_several(&good, &bad).lost_precision);
	bad.a[1] = 2.001;
	ck_assert(!compare_several(&good, &bad).lost_precision);
	bad = good;
	bad.a[1] = NAN;
	ck_assert(!compare_several(&good, &bad).lost_precision);
	bad = good;
	bad.a[0] = (double)(1.1F) / 1.1;
	bad.c[0] = false;
	ck_assert(!compare_several(&good, &bad).lost_precision);
}
END_TEST

START_TEST(each_element_has_a_state)
{
	const bool want[4] = {true, false, true, true};
	bool have[4] = {true, true, true, false};
	const float expected[3] = {1, 2, 3};
	const float got[3] = {NAN, 2, 4};
	unsigned char states[4];

	memset(&have[2], 0xa5, 1);
	compare_elements(TYPE_BOOL,
		&(struct value){.data = (void *)(uintptr_t)want, .count = 4},
		&(struct value){0}, &(struct value){.data = have, .count = 4},
		states);
	ck_assert_mem_eq(states,
		((unsigned char[]){ELEMENT_RIGHT, ELEMENT_WRONG, ELEMENT_WRONG,
			ELEMENT_WRONG}),
		4);
	compare_elements(TYPE_FLOAT,
		&(struct value){
			.data = (void *)(uintptr_t)expected, .count = 3},
		&(struct value){0},
		&(struct value){.data = (void *)(uintptr_t)got, .count = 3},
		states);
	ck_assert_mem_eq(states,
		((unsigned char[]){ELEMENT_NAN, ELEMENT_RIGHT, ELEMENT_WRONG}),
		3);
}
END_TEST

Suite *compare_suite(void)
{
	Suite *suite = suite_create("compare");
	TCase *one = tcase_create("one number");
	TCase *all = tcase_create("several outputs");

	tcase_add_loop_test(one, every_rule_of_one_number_holds, 0,
		sizeof(rows) / sizeof(*rows));
	suite_add_tcase(suite, one);
	tcase_add_test(all, equal_outputs_have_no_mismatch);
	tcase_add_test(
		all, the_first_wrong_element_is_told_and_all_are_counted);
	tcase_add_test(all, a_result_is_compared_as_the_last_output);
	tcase_add_test(all, a_bool_that_is_neither_false_nor_true_is_wrong);
	tcase_add_test(all, each_element_has_a_state);
	tcase_add_test(all, errors_of_the_size_of_float_are_lost_precision);
	suite_add_tcase(suite, all);
	return suite;
}
