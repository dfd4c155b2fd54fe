/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "grader/report/cases.h"
#include "grader/report/style.h"
#include "tests/suites.h"
#include "tests/support/sample.h"

#include <string.h>

enum { N_CASES = 2 };

/* Two cases of sample_function(), the second one hidden, with 2 rows of 2. */
struct fixture {
	struct sample sample;
	double numbers[4];
	double tolerances[4];
	struct value arguments[SAMPLE_PARAMETERS];
	struct value expected[SAMPLE_PARAMETERS + 1];
	struct value tolerance[SAMPLE_PARAMETERS + 1];
	struct group group;
	struct test_case cases[N_CASES];
	struct case_list list;
	struct cases_view view;
};

static void init(struct fixture *f)
{
	struct value array = {
		.data = f->numbers, .count = 4, .shape = {2, 2}, .n_axes = 2};

	*f = (struct fixture){
		.numbers = {0.1, -0.0, 1e300, 3},
		.tolerances = {1e-9, 2e-9, 1e-9, 1e-9},
		.group = {.name = "examples", .title = "the examples"},
	};
	sample_init(&f->sample);
	f->arguments[SAMPLE_TQ].number = 2;
	f->arguments[SAMPLE_D].number = 2;
	f->arguments[SAMPLE_Q] = array;
	f->arguments[SAMPLE_MASK].is_null = true;
	f->expected[SAMPLE_OUTPUT] = array;
	array.data = f->tolerances;
	f->tolerance[SAMPLE_OUTPUT] = array;
	for (size_t i = 0; i < N_CASES; i++)
		f->cases[i] = (struct test_case){
			.name = i ? "secret" : "example",
			.exercise = &f->sample.exercise,
			.group = &f->group,
			.function = sample_function(),
			.hidden = i == 1,
			.seed = UINT64_MAX - i,
			.repeat = 1 + i,
			.arguments = f->arguments,
			.expected = f->expected,
			.tolerance = f->tolerance,
		};
	f->list = (struct case_list){f->cases, N_CASES};
	f->view = (struct cases_view){
		.exercise = &f->sample.exercise, .list = &f->list, .seed = 7};
}

#define EXAMPLE                                                                \
	"{\"name\":\"example\",\"group\":\"examples\",\"function\":"           \
	"\"solve\",\"visibility\":\"public\",\"seed\":18446744073709551615,"   \
	"\"inputs\":{\"Tq\":2,\"d\":2,\"Q\":[[0.1,-0.0],[1e+300,3]],"          \
	"\"mask\":null},\"expected\":{\"output\":[[0.1,-0.0],[1e+300,3]]},"    \
	"\"tolerance\":{\"output\":[[1e-09,2e-09],[1e-09,1e-09]]}}"

static void check_json(const struct fixture *f, const char *expected)
{
	struct text out = {0};
	struct error err = {0};

	ck_assert(cases_put_json(&out, &f->view, &err));
	ck_assert_str_eq(out.data, expected);
	text_finish(&out);
}

START_TEST(programs_get_every_bit_of_the_public_cases)
{
	struct fixture f;

	init(&f);
	check_json(&f,
		"{\"exercise\":\"attention\",\"seed\":7,\"cases\":[" EXAMPLE
		"]}\n");
}
END_TEST

START_TEST(staff_see_hidden_cases_but_never_their_seed)
{
	struct fixture f;

	init(&f);
	f.view.hidden = true;
	f.cases[0].hidden = true;
	f.list.count = 1;
	check_json(&f,
		"{\"exercise\":\"attention\",\"seed\":7,\"cases\":["
		"{\"name\":\"example\",\"group\":\"examples\",\"function\":"
		"\"solve\",\"visibility\":\"hidden\",\"seed\":null,"
		"\"inputs\":{\"Tq\":2,\"d\":2,\"Q\":[[0.1,-0.0],[1e+300,3]],"
		"\"mask\":null},\"expected\":{\"output\":[[0.1,-0.0],[1e+300,3]"
		"]},\"tolerance\":{\"output\":[[1e-09,2e-09],[1e-09,1e-09]]}}"
		"]}\n");
}
END_TEST

START_TEST(a_result_has_its_name_in_json)
{
	struct function function = *sample_function();
	struct fixture f;
	struct text out = {0};
	struct error err = {0};

	init(&f);
	function.returns = true;
	function.return_type = TYPE_DOUBLE;
	f.cases[0].function = &function;
	f.expected[SAMPLE_PARAMETERS] =
		(struct value){.data = f.numbers, .count = 1};
	f.tolerance[SAMPLE_PARAMETERS] =
		(struct value){.data = f.tolerances, .count = 1};
	ck_assert(cases_put_json(&out, &f.view, &err));
	ck_assert_ptr_nonnull(strstr(out.data, ",\"result\":0.1}"));
	ck_assert_ptr_nonnull(strstr(out.data, ",\"result\":1e-09}"));
	text_finish(&out);
}
END_TEST

static void check_text(const struct fixture *f, const char *expected)
{
	const struct style style = {.width = 80, .ascii = true};
	struct text out = {0};

	cases_put_text(&out, &style, &f->view);
	ck_assert_str_eq(out.data, expected);
	text_finish(&out);
}

START_TEST(people_get_one_row_a_line_and_the_number_of_hidden_cases)
{
	struct fixture f;

	init(&f);
	check_text(&f,
		"example - the examples - solve() - seed "
		"18446744073709551615\n"
		"  Tq = 2, d = 2\n"
		"  Q\n"
		"      0.1 -0.0\n"
		"      1e+300 3\n"
		"  mask = NULL\n"
		"  expected output, within 1e-09 to 2e-09\n"
		"      0.1 -0.0\n"
		"      1e+300 3\n"
		"\n"
		"1 case, seed 7\n"
		"1 hidden case is left out; --audience staff shows it\n");
}
END_TEST

START_TEST(large_arrays_are_cut_unless_they_are_to_be_whole)
{
	static double many[200];
	struct fixture f;
	struct text out = {0};
	const struct style style = {.width = 80, .ascii = true};

	init(&f);
	f.arguments[SAMPLE_Q] = (struct value){
		.data = many, .count = 200, .shape = {20, 10}, .n_axes = 2};
	cases_put_text(&out, &style, &f.view);
	ck_assert_ptr_nonnull(strstr(out.data,
		"      0 0 0 0 0 0 0 0 ...\n"
		"      ... 12 more rows\n"));
	text_finish(&out);
	f.view.whole = true;
	cases_put_text(&out, &style, &f.view);
	ck_assert_ptr_null(strstr(out.data, "..."));
	ck_assert_ptr_nonnull(strstr(out.data, "      0 0 0 0 0 0 0 0 0 0\n"));
	text_finish(&out);
}
END_TEST

Suite *report_cases_suite(void)
{
	Suite *suite = suite_create("report_cases");
	TCase *tcase = tcase_create("cases");

	tcase_add_test(tcase, programs_get_every_bit_of_the_public_cases);
	tcase_add_test(tcase, staff_see_hidden_cases_but_never_their_seed);
	tcase_add_test(tcase, a_result_has_its_name_in_json);
	tcase_add_test(tcase,
		people_get_one_row_a_line_and_the_number_of_hidden_cases);
	tcase_add_test(tcase, large_arrays_are_cut_unless_they_are_to_be_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
