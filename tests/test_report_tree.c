/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "grader/report/tree.h"
#include "tests/suites.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct {
	double value;
	const char *spelt;
} reals[] = {
	{0, "0"},
	{-0.0, "-0.0"},
	{0.1, "0.1"},
	{0.1 + 0.2, "0.30000000000000004"},
	{1.0 / 3, "0.3333333333333333"},
	{-2.5, "-2.5"},
	{1e22, "1e+22"},
	{123456789012345, "123456789012345"},
	{9007199254740992, "9007199254740992"},
	{DBL_MAX, "1.7976931348623157e+308"},
	{DBL_TRUE_MIN, "4.94065645841247e-324"},
	{NAN, "NaN"},
	{INFINITY, "Infinity"},
	{-INFINITY, "-Infinity"},
};

START_TEST(a_double_reads_back_to_the_same_bits)
{
	char spelt[32];
	double back;

	tree_spell_real(reals[_i].value, spelt, sizeof(spelt));
	ck_assert_str_eq(spelt, reals[_i].spelt);
	back = strtod(spelt, NULL);
	if (!isnan(reals[_i].value))
		ck_assert_mem_eq(&back, &reals[_i].value, sizeof(back));
}
END_TEST

static void check_value(enum value_type type, const struct value *value,
	bool is_array, const char *expected)
{
	struct tree tree;
	struct error err = {0};
	struct text out = {0};

	ck_assert(tree_start(&tree, &err));
	tree_value(&tree, tree.root, "x", type, value, is_array);
	ck_assert_msg(tree_write(&tree, false, &out, &err), "%s", err.message);
	ck_assert_str_eq(out.data, expected);
	text_finish(&out);
	tree_finish(&tree);
}

START_TEST(arrays_are_nested_as_their_shape_says)
{
	double reals_of_three_axes[] = {1, 2.5, NAN, -0.0, 5, 6};
	bool truths[] = {true, false};
	size_t sizes[] = {SIZE_MAX, 0};
	float floats[] = {0.5F};
	char chars[] = {'a', -1};
	int ints[] = {-5};

	check_value(TYPE_DOUBLE,
		&(struct value){.data = reals_of_three_axes,
			.count = 6,
			.shape = {1, 3, 2},
			.n_axes = 3},
		true, "{\"x\":[[[1,2.5],[\"NaN\",-0.0],[5,6]]]}\n");
	check_value(TYPE_BOOL,
		&(struct value){
			.data = truths, .count = 2, .shape = {2}, .n_axes = 1},
		true, "{\"x\":[true,false]}\n");
	check_value(TYPE_SIZE,
		&(struct value){
			.data = sizes, .count = 2, .shape = {2}, .n_axes = 1},
		true, "{\"x\":[18446744073709551615,0]}\n");
	check_value(TYPE_FLOAT,
		&(struct value){
			.data = floats, .count = 1, .shape = {1}, .n_axes = 1},
		true, "{\"x\":[0.5]}\n");
	check_value(TYPE_CHAR,
		&(struct value){
			.data = chars, .count = 2, .shape = {2}, .n_axes = 1},
		true, "{\"x\":[97,-1]}\n");
	check_value(TYPE_INT,
		&(struct value){
			.data = ints, .count = 1, .shape = {1}, .n_axes = 1},
		true, "{\"x\":[-5]}\n");
	check_value(TYPE_SIZE,
		&(struct value){.data = sizes, .shape = {0}, .n_axes = 1}, true,
		"{\"x\":[]}\n");
}
END_TEST

START_TEST(scalars_and_arrays_that_are_not_given_are_written)
{
	double real = -0.5;

	check_value(TYPE_SIZE, &(struct value){.number = UINT64_MAX}, false,
		"{\"x\":18446744073709551615}\n");
	check_value(TYPE_INT, &(struct value){.number = (uint64_t)-3}, false,
		"{\"x\":-3}\n");
	check_value(TYPE_BOOL, &(struct value){.number = 1}, false,
		"{\"x\":true}\n");
	check_value(TYPE_DOUBLE, &(struct value){.real = 0.25}, false,
		"{\"x\":0.25}\n");
	check_value(TYPE_DOUBLE, &(struct value){.data = &real, .count = 1},
		false, "{\"x\":-0.5}\n");
	check_value(TYPE_BOOL, &(struct value){.is_null = true}, true,
		"{\"x\":null}\n");
}
END_TEST

START_TEST(a_parent_that_is_missing_fails_at_the_end_only)
{
	struct tree tree;
	struct error err = {0};
	struct text out = {0};

	ck_assert(tree_start(&tree, &err));
	tree_int(&tree, tree_array(&tree, NULL, "x"), NULL, 1);
	ck_assert(!tree_write(&tree, true, &out, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	text_finish(&out);
	tree_finish(&tree);
}
END_TEST

Suite *report_tree_suite(void)
{
	Suite *suite = suite_create("report_tree");
	TCase *tcase = tcase_create("tree");

	tcase_add_loop_test(
		tcase, a_double_reads_back_to_the_same_bits, 0, COUNT(reals));
	tcase_add_test(tcase, arrays_are_nested_as_their_shape_says);
	tcase_add_test(
		tcase, scalars_and_arrays_that_are_not_given_are_written);
	tcase_add_test(tcase, a_parent_that_is_missing_fails_at_the_end_only);
	suite_add_tcase(suite, tcase);
	return suite;
}
