/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/cases.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/jail.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* An exercise with an output of each kind, a result, and a generator with
   arguments and one without; %s is its tolerance. */
static const char json[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"mix\",\n"
	"\"title\": \"Mix\", \"summary\": \"Mixes\", \"seed\": 7,%s\n"
	"\"functions\": [{\"name\": \"mix\", \"parameters\": [\n"
	"{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	"{\"name\": \"X\", \"type\": \"double\", \"dims\": [\"n\", 2], "
	"\"says\": \"b\"},\n"
	"{\"name\": \"Y\", \"type\": \"int\", \"dims\": [\"n\"], "
	"\"nullable\": true, \"says\": \"c\"},\n"
	"{\"name\": \"sum\", \"type\": \"double\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"d\"},\n"
	"{\"name\": \"half\", \"type\": \"float\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"e\"},\n"
	"{\"name\": \"above\", \"type\": \"bool\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"f\"}],\n"
	"\"returns\": {\"type\": \"double\", \"says\": \"g\"}},\n"
	"{\"name\": \"count\", \"parameters\": [{\"name\": \"n\", \"type\": "
	"\"size_t\", \"says\": \"a\"}], "
	"\"returns\": {\"type\": \"int\", \"says\": \"y\"}}],\n"
	"\"groups\": [{\"name\": \"all\", \"title\": \"All\", \"function\": "
	"\"mix\", \"points\": 1, \"cases\": [\n"
	"{\"name\": \"given\", \"inputs\": {\"X\": [[1, 2], [-3, -4]], \"Y\": "
	"[5, -6]}},\n"
	"{\"name\": \"drawn\", \"count\": 3, \"inputs\": {\"n\": "
	"{\"integers\": [1, 4]}, \"X\": {\"normal\": [0, 1]}, \"Y\": null}},\n"
	"{\"name\": \"made\", \"generator\": \"steps\", \"arguments\": [10, "
	"0.5], \"inputs\": {\"n\": 3}},\n"
	"{\"name\": \"plain\", \"generator\": \"ones\", \"repeat\": 2, "
	"\"inputs\": {\"n\": 2, \"Y\": null}}]},\n"
	"{\"name\": \"unseen\", \"title\": \"Unseen\", \"function\": "
	"\"count\", "
	"\"points\": 1, \"visibility\": \"hidden\", \"cases\": [\n"
	"{\"name\": \"counted\", \"inputs\": {\"n\": {\"integers\": [1, "
	"1000000]}}}]}]}\n";

#define RULE "\"tolerance\": {\"rtol\": 0.5, \"atol\": 0.25},"

static const char reference[] =
	"#include \"exercise.h\"\n"
	"void reference_mix(size_t n, const double X[n][2], const int *Y,\n"
	"double sum[n], float half[n], bool above[n], double sum_tolerance[n],"
	"\ndouble half_tolerance[n], double result[1],\n"
	"double result_tolerance[1])\n"
	"{\n"
	"*result = Y ? Y[0] : -1;\n"
	"*result_tolerance = 0.125;\n"
	"for (size_t i = 0; i < n; i++) {\n"
	"sum[i] = X[i][0] + X[i][1];\n"
	"sum_tolerance[i] = 1e-9;\n"
	"half[i] = (float)sum[i] / 2;\n"
	"half_tolerance[i] = 1e-3;\n"
	"above[i] = sum[i] > 0;\n"
	"}\n"
	"}\n"
	"void reference_count(size_t n, int result[1]) { result[0] = (int)n; "
	"}\n";

static const char generators[] =
	"#include \"exercise.h\"\n"
	"void generate_steps(uint64_t seed, size_t n, double X[n][2], int *Y,\n"
	"const double argument[])\n"
	"{\n"
	"struct random random = random_start(seed);\n"
	"for (size_t i = 0; i < n; i++) {\n"
	"X[i][0] = argument[0] * (double)i;\n"
	"X[i][1] = random_uniform(&random, 0, argument[1]);\n"
	"Y[i] = (int)i + 40;\n"
	"}\n"
	"}\n"
	"void generate_ones(uint64_t seed, size_t n, double X[n][2], int *Y,\n"
	"const double argument[])\n"
	"{\n"
	"for (size_t i = 0; i < n; i++)\n"
	"X[i][0] = X[i][1] = seed && !Y && !argument ? 1 : 2;\n"
	"}\n";

static struct arena *arena;
static struct folder folder;
static struct tools tools;
static struct exercise exercise;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	folder_make(&folder);
	tools = (struct tools){.cancel = -1};
	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	tools.sandbox = jail_create(tools.toolchain.reads);
}

static void tear_down(void)
{
	sandbox_destroy(tools.sandbox);
	folder_remove(&folder);
	arena_destroy(arena);
}

/* The same with another text for the first that is old. */
static const char *changed(const char *in, const char *old, const char *new)
{
	const char *at = strstr(in, old);
	struct error err = {0};

	ck_assert_msg(at != NULL, "no such text: %s", old);
	return arena_printf(arena, &err, "%.*s%s%s", (int)(at - in), in, new,
		at + strlen(old));
}

/* with_json has a %s for the rule. */
static void load_json(const char *with_json, const char *rule,
	const char *with_reference, const char *with_generators)
{
	struct error err = {0};
	const char *text = changed(with_json, "%s", rule);

	folder_put(&folder, "exercise.json", text, 0644);
	folder_put(&folder, "lesson.md", "# Mix\n", 0644);
	folder_put(&folder, "solution.c", "\n", 0644);
	folder_put(&folder, "reference.c", with_reference, 0644);
	folder_put(&folder, "generators.c", with_generators, 0644);
	exercise = (struct exercise){0};
	ck_assert_msg(exercise_load(folder.path, arena, &exercise, &err), "%s",
		err.message);
}

static void load(const char *rule, const char *with_reference,
	const char *with_generators)
{
	load_json(json, rule, with_reference, with_generators);
}

static struct case_list prepare(const struct case_request *request)
{
	struct case_list list = {0};
	struct error err = {0};

	ck_assert_msg(cases_prepare(request, &tools, arena, &list, &err), "%s",
		err.message);
	return list;
}

/* says follows the folder. */
static void expect_error(
	const char *pattern, const char *says, enum error_kind kind)
{
	const struct case_request request = {
		.exercise = &exercise, .seed = 1, .pattern = pattern};
	struct case_list list = {0};
	struct error err = {0};
	char expected[256];

	snprintf(expected, sizeof(expected), "%s%s",
		kind == ERROR_EXERCISE ? folder.path : "", says);
	ck_assert(!cases_prepare(&request, &tools, arena, &list, &err));
	ck_assert_str_eq(err.message, expected);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_ptr_null(list.cases);
}

enum { P_N, P_X, P_Y, P_SUM, P_HALF, P_ABOVE, P_RESULT };

START_TEST(all_cases_are_there_with_inputs_and_expected_values)
{
	static const char *const names[] = {"given", "drawn-1", "drawn-2",
		"drawn-3", "made", "plain", "counted"};
	struct case_request request = {.exercise = &exercise, .seed = 1};
	struct case_list list;

	load("", reference, generators);
	list = prepare(&request);
	ck_assert_uint_eq(list.count, COUNT(names));
	for (size_t i = 0; i < list.count; i++) {
		const struct test_case *c = &list.cases[i];

		ck_assert_str_eq(c->name, names[i]);
		ck_assert_ptr_eq(c->exercise, &exercise);
		ck_assert_int_eq(c->hidden, i == 6);
		ck_assert_uint_eq(c->function_index, i == 6);
		ck_assert_uint_eq(c->repeat, i == 5 ? 2 : 1);
		for (size_t e = 0; i < 6 && e < c->arguments[P_N].number; e++) {
			const double *x =
				(double *)c->arguments[P_X].data + 2 * e;

			ck_assert_double_eq(
				((double *)c->expected[P_SUM].data)[e],
				x[0] + x[1]);
			ck_assert_int_eq(((bool *)c->expected[P_ABOVE].data)[e],
				x[0] + x[1] > 0);
		}
	}
}
END_TEST

START_TEST(an_explicit_case_has_its_own_numbers_and_the_references)
{
	struct case_request request = {
		.exercise = &exercise, .pattern = "given"};
	struct case_list list;
	const struct test_case *c;

	load("", reference, generators);
	list = prepare(&request);
	ck_assert_uint_eq(list.count, 1);
	c = &list.cases[0];
	ck_assert_uint_eq(c->arguments[P_N].number, 2);
	ck_assert_ptr_null(c->arguments[P_SUM].data);
	ck_assert_uint_eq(c->arguments[P_SUM].count, 2);
	ck_assert_ptr_null(c->expected[P_X].data);
	ck_assert_double_eq(((float *)c->expected[P_HALF].data)[1], -3.5);
	ck_assert_uint_eq(c->expected[P_HALF].n_axes, 1);
	ck_assert_double_eq(((double *)c->tolerance[P_SUM].data)[1], 1e-9);
	ck_assert_double_eq(((double *)c->tolerance[P_HALF].data)[0], 1e-3);
	ck_assert_ptr_null(c->tolerance[P_ABOVE].data);
	ck_assert_double_eq(((double *)c->expected[P_RESULT].data)[0], 5);
	ck_assert_double_eq(((double *)c->tolerance[P_RESULT].data)[0], 0.125);
	ck_assert_uint_eq(c->expected[P_RESULT].count, 1);
	ck_assert_uint_eq(c->expected[P_RESULT].n_axes, 0);
}
END_TEST

START_TEST(generators_write_the_arrays)
{
	struct case_request request = {.exercise = &exercise, .seed = 3};
	struct case_list one;
	struct case_list same;
	const double *x;

	load("", reference, generators);
	one = prepare(&request);
	same = prepare(&request);
	x = one.cases[4].arguments[P_X].data;
	for (size_t i = 0; i < 3; i++) {
		ck_assert_double_eq(x[2 * i], 10 * (double)i);
		ck_assert(x[2 * i + 1] >= 0 && x[2 * i + 1] < 0.5);
		ck_assert_int_eq(((int *)one.cases[4].arguments[P_Y].data)[i],
			(int)i + 40);
	}
	ck_assert_mem_eq(
		x, same.cases[4].arguments[P_X].data, 6 * sizeof(double));
	request.seed = 4;
	same = prepare(&request);
	ck_assert_double_ne(
		x[1], ((double *)same.cases[4].arguments[P_X].data)[1]);
	/* The one without arguments, and with Y not given. */
	ck_assert_double_eq(((double *)one.cases[5].arguments[P_X].data)[3], 1);
	ck_assert(one.cases[5].arguments[P_Y].is_null);
}
END_TEST

START_TEST(a_case_alone_is_the_case_among_all)
{
	struct case_request request = {.exercise = &exercise, .seed = 3};
	struct case_list all;
	struct case_list one;

	load("", reference, generators);
	all = prepare(&request);
	request.pattern = "drawn-2";
	one = prepare(&request);
	ck_assert_uint_eq(one.count, 1);
	ck_assert_uint_eq(one.cases[0].seed, all.cases[2].seed);
	ck_assert_uint_eq(one.cases[0].arguments[P_N].number,
		all.cases[2].arguments[P_N].number);
	ck_assert_mem_eq(one.cases[0].arguments[P_X].data,
		all.cases[2].arguments[P_X].data,
		all.cases[2].arguments[P_X].count * sizeof(double));
	request.pattern = "[dg]*";
	ck_assert_uint_eq(prepare(&request).count, 4);
}
END_TEST

START_TEST(a_secret_changes_hidden_cases_alone)
{
	struct case_request request = {.exercise = &exercise, .seed = 3};
	struct case_list plain;
	struct case_list secret;

	load("", reference, generators);
	plain = prepare(&request);
	request.secret = "s";
	request.secret_len = 1;
	secret = prepare(&request);
	for (size_t i = 0; i < 6; i++)
		ck_assert_uint_eq(plain.cases[i].seed, secret.cases[i].seed);
	ck_assert_uint_ne(plain.cases[6].seed, secret.cases[6].seed);
	ck_assert_uint_ne(plain.cases[6].arguments[0].number,
		secret.cases[6].arguments[0].number);
	ck_assert_int_eq(((int *)secret.cases[6].expected[1].data)[0],
		(int)secret.cases[6].arguments[0].number);
	ck_assert_ptr_null(secret.cases[6].tolerance[1].data);
}
END_TEST

START_TEST(a_rule_of_the_exercise_replaces_the_references_tolerance)
{
	struct case_request request = {
		.exercise = &exercise, .pattern = "given"};
	const struct test_case *c;

	load(RULE, reference, generators);
	c = &prepare(&request).cases[0];
	ck_assert_double_eq(((double *)c->tolerance[P_SUM].data)[1], 3.75);
	ck_assert_double_eq(((double *)c->tolerance[P_HALF].data)[0], 1);
	ck_assert_double_eq(((double *)c->tolerance[P_RESULT].data)[0], 2.75);
	ck_assert_ptr_null(c->tolerance[P_ABOVE].data);
}
END_TEST

START_TEST(a_pattern_without_a_match_is_the_users_slip)
{
	load("", reference, generators);
	expect_error("drawm-1",
		"no case of mix matches 'drawm-1'; did you mean 'drawn-1'?",
		ERROR_USAGE);
	expect_error("z*",
		"no case of mix matches 'z*'; the first of each group: given, "
		"counted",
		ERROR_USAGE);
}
END_TEST

/* What stands in "expected" of the case given, and what is said of it: its
   sums are 3 and -7, with 0.1 added 3.1 and -6.9, half of them 1.55 and -3.45.
 */
static const struct {
	const char *expected;
	const char *says; /* NULL: it is right */
} given[] = {
	{"\"sum\": [3.1, -6.9]", NULL},
	{"\"sum\": [3, -7]", NULL}, /* rounded to no decimals */
	{"\"sum\": [3.1000000, -6.90000]", NULL},
	{"\"sum\": [3.1, -7.0]",
		"sum[1] is -7, but the reference computes "
		"-6.9"},
	{"\"sum\": [4, -7]", "sum[0] is 4, but the reference computes 3.1"},
	{"\"sum\": [3.10001, -6.9]",
		"sum[0] is 3.10001, but the reference computes 3.1"},
	{"\"half\": [1.55, -3.450000]", NULL},
	{"\"half\": [1.56, -3.45]",
		"half[0] is 1.56, but the reference computes 1.55"},
	{"\"above\": [true, false]", NULL},
	{"\"above\": [true, true]",
		"above[1] is true, but the reference computes false"},
	{"\"result\": 5", NULL},
	{"\"result\": 5.01", "result is 5.01, but the reference computes 5"},
};

START_TEST(what_is_expected_is_what_the_reference_computes)
{
	char says[256];
	struct error err = {0};
	const struct case_request request = {
		.exercise = &exercise, .pattern = "given"};

	load_json(changed(json, "[5, -6]}",
			  arena_printf(arena, &err,
				  "[5, -6]}, \"expected\": {%s}",
				  given[_i].expected)),
		"",
		changed(reference, "X[i][0] + X[i][1]",
			"X[i][0] + X[i][1] + 0.1"),
		generators);
	if (!given[_i].says) {
		ck_assert_uint_eq(prepare(&request).count, 1);
		return;
	}
	snprintf(says, sizeof(says),
		"/exercise.json:13: case given: expected.%s", given[_i].says);
	expect_error("given", says, ERROR_EXERCISE);
}
END_TEST

/* What is changed in reference.c, and what is said of it. */
static const struct {
	const char *old;
	const char *new;
	const char *says;
} slips[] = {
	{"sum[i] = X[i][0] + X[i][1]", "sum[i] = i ? 0. / 0. : 1",
		"/reference.c: case given: sum[1] is NaN"},
	{"sum[i] = X[i][0] + X[i][1]", "sum[i] = 1 / 0.",
		"/reference.c: case given: sum[0] is infinite"},
	{"sum[i] = X[i][0] + X[i][1]", "if (i) sum[i] = 1",
		"/reference.c: case given: sum[0] was not set"},
	{"half[i] = (float)sum[i] / 2", "if (!i) half[i] = 1",
		"/reference.c: case given: half[1] was not set"},
	{"above[i] = sum[i] > 0", "if (!i) above[i] = true",
		"/reference.c: case given: above[1] was not set"},
	{"above[i] = sum[i] > 0", "*(char *)&above[i] = 2",
		"/reference.c: case given: above[0] is neither true nor false"},
	{"sum_tolerance[i] = 1e-9", "sum_tolerance[i] = -1e-9",
		"/reference.c: case given: sum_tolerance[0] is negative"},
	{"half_tolerance[i] = 1e-3", "half_tolerance[i] = 1e300 * 1e300",
		"/reference.c: case given: half_tolerance[0] is infinite"},
	{"*result = Y ? Y[0] : -1", "(void)Y",
		"/reference.c: case given: result[0] was not set"},
	{"result[0] = (int)n", "(void)n, (void)result",
		"/reference.c: case counted: result[0] was not set"},
	{"*result = Y ? Y[0] : -1", "*result = Y[0]",
		"/reference.c: case drawn-1: reference_mix died of SIGSEGV"},
	{"*result = Y ? Y[0] : -1", "*result = 1; if (Y) __builtin_abort()",
		"/reference.c: case given: reference_mix called abort()"},
	{"*result = Y ? Y[0] : -1", "extern void exit(int); exit(3)",
		"/reference.c: case given: reference_mix called exit(3)"},
	{"*result = Y ? Y[0] : -1", "extern int fork(void); fork()",
		"/reference.c: case given: reference_mix made the system call "
		"fork, which is refused"},
	{"sum[i] = X[i][0] + X[i][1];", "sum[i + 2] = 1;",
		"/reference.c: case given: reference_mix wrote sum[2], which "
		"is not there"},
	{"sum[i] = X[i][0] + X[i][1];", "((double *)X[i])[1] = 1;",
		"/reference.c: case given: reference_mix wrote X[1], which is "
		"an input"},
	{"sum[i] = X[i][0] + X[i][1];", "sum[i] = zzzz;",
		"/reference.c:10: 'zzzz' undeclared (first use in this "
		"function)"},
};

START_TEST(a_slip_in_the_reference_is_said)
{
	load("", changed(reference, slips[_i].old, slips[_i].new), generators);
	expect_error(NULL, slips[_i].says, ERROR_EXERCISE);
}
END_TEST

START_TEST(a_reference_that_takes_too_long_is_said)
{
	load("\"limits\": {\"cpu_case_ms\": 1, \"cpu_total_ms\": 1},",
		changed(reference, "*result_tolerance = 0.125;",
			"for (volatile int i = Y && *Y == 5; i;);"),
		generators);
	expect_error(NULL,
		"/reference.c: case given: reference_mix took too long",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(a_slip_in_a_generator_is_said)
{
	load("", reference,
		changed(generators, "X[i][0] = argument[0] * (double)i",
			"X[i][0] = 1 / (double)i"));
	expect_error(NULL, "/generators.c: case made: X[0][0] is infinite",
		ERROR_EXERCISE);
	load("", reference,
		changed(generators, "Y[i] = (int)i + 40",
			"if (!i) "
			"Y[i] = 1"));
	expect_error(NULL, "/generators.c: case made: Y[1] was not set",
		ERROR_EXERCISE);
	load("", reference,
		changed(generators, "Y[i] = (int)i + 40", "Y[i + 9999] = 1"));
	expect_error(NULL,
		"/generators.c: case made: generate_steps died of SIGSEGV",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(a_function_that_is_not_there_is_said)
{
	const struct case_request request = {.exercise = &exercise};
	struct case_list list = {0};
	struct error err = {0};

	load("", "/* nothing */\n", generators);
	ck_assert(!cases_prepare(&request, &tools, arena, &list, &err));
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_ptr_nonnull(strstr(err.message, "/reference.c"));
	ck_assert_ptr_nonnull(strstr(err.message, "reference_mix"));
}
END_TEST

Suite *cases_suite(void)
{
	Suite *suite = suite_create("cases");
	TCase *tcase = tcase_create("cases");

	/* Each compiles an exercise's files, in the jail. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(
		tcase, all_cases_are_there_with_inputs_and_expected_values);
	tcase_add_test(
		tcase, an_explicit_case_has_its_own_numbers_and_the_references);
	tcase_add_test(tcase, generators_write_the_arrays);
	tcase_add_test(tcase, a_case_alone_is_the_case_among_all);
	tcase_add_test(tcase, a_secret_changes_hidden_cases_alone);
	tcase_add_test(tcase,
		a_rule_of_the_exercise_replaces_the_references_tolerance);
	tcase_add_test(tcase, a_pattern_without_a_match_is_the_users_slip);
	tcase_add_loop_test(tcase,
		what_is_expected_is_what_the_reference_computes, 0,
		COUNT(given));
	tcase_add_loop_test(
		tcase, a_slip_in_the_reference_is_said, 0, COUNT(slips));
	tcase_add_test(tcase, a_reference_that_takes_too_long_is_said);
	tcase_add_test(tcase, a_slip_in_a_generator_is_said);
	tcase_add_test(tcase, a_function_that_is_not_there_is_said);
	suite_add_tcase(suite, tcase);
	return suite;
}
