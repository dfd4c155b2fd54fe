/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/explain.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/jail.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Halves numbers, and counts them. */
static const char json[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"half\",\n"
	"\"title\": \"Half\", \"summary\": \"Halves\", \"seed\": 7,\n"
	"\"functions\": [{\"name\": \"half\", \"parameters\": [\n"
	"{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	"{\"name\": \"x\", \"type\": \"double\", \"dims\": [\"n\"], \"says\": "
	"\"b\"},\n"
	"{\"name\": \"y\", \"type\": \"double\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"c\"}],\n"
	"\"returns\": {\"type\": \"int\", \"says\": \"d\"}}],\n"
	"\"groups\": [\n"
	"{\"name\": \"two\", \"title\": \"Two\", \"function\": \"half\", "
	"\"points\": 1, \"cases\": [\n"
	"{\"name\": \"two-1\", \"inputs\": {\"x\": [2, 4]}},\n"
	"{\"name\": \"two-2\", \"inputs\": {\"x\": [6, 8]}}]},\n"
	"{\"name\": \"one\", \"title\": \"One\", \"function\": \"half\", "
	"\"points\": 1, \"cases\": [\n"
	"{\"name\": \"one-1\", \"inputs\": {\"x\": [10]}}]},\n"
	"{\"name\": \"unseen\", \"title\": \"Unseen\", \"function\": \"half\", "
	"\"points\": 1, \"visibility\": \"hidden\", \"cases\": [\n"
	"{\"name\": \"unseen-1\", \"inputs\": {\"x\": [100]}}]},\n"
	"{\"name\": \"probe\", \"title\": \"Probe\", \"function\": \"half\", "
	"\"points\": 0, \"tags\": [\"probe\"], \"cases\": [\n"
	"{\"name\": \"probe-1\", \"inputs\": {\"x\": [-1]}},\n"
	"{\"name\": \"probe-2\", \"inputs\": {\"x\": [-2]}}]}]}\n";

static const char reference[] =
	"#include \"exercise.h\"\n"
	"void reference_half(size_t n, const double x[n], double y[n],\n"
	"double y_tolerance[n], int result[1])\n"
	"{\n"
	"for (size_t i = 0; i < n; i++) {\n"
	"y[i] = x[i] / 2;\n"
	"y_tolerance[i] = 0.125;\n"
	"}\n"
	"result[0] = (int)n;\n"
	"}\n";

#define EXPLAIN                                                                \
	"#include \"exercise.h\"\n"                                            \
	"#include <stdio.h>\n"                                                 \
	"#include <string.h>\n"                                                \
	"void steps_half(size_t n, const double x[n], const double y[n],\n"    \
	"int result, char text[8192])\n"                                       \
	"{\n"                                                                  \
	"snprintf(text, 8192, \"%g to %g\\n%d\", x[0], y[0], result);\n"       \
	"}\n"                                                                  \
	"bool explain_half(size_t n, const double x[n], const double y[n],\n"  \
	"int result, const double expected_y[n], int expected_result,\n"       \
	"char text[512])\n"

#define SOLUTION "int half(size_t n, const double x[n], double y[n])\n"

static const char right[] = SOLUTION
	"{ for (size_t i = 0; i < n; i++) y[i] = x[i] / 2; return (int)n; }\n";
static const char doubles[] = SOLUTION
	"{ for (size_t i = 0; i < n; i++) y[i] = x[i] * 2; return 1; }\n";
/* Right where a learner looks, and for probes. */
static const char wrong_unseen[] = SOLUTION
	"{ for (size_t i = 0; i < n; i++) y[i] = x[i] == 100 ? 0 : x[i] / 2;\n"
	"return (int)n; }\n";
static const char crashes_in_probes[] =
	SOLUTION "{ if (x[0] < 0) __builtin_trap(); y[0] = 0; return 1; }\n";

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

/* explain may be NULL: no such file. */
static void load(const char *explain)
{
	struct error err = {0};

	folder_put(&folder, "exercise.json", json, 0644);
	folder_put(&folder, "lesson.md", "# Half\n", 0644);
	folder_put(&folder, "solution.c", "\n", 0644);
	folder_put(&folder, "reference.c", reference, 0644);
	if (explain)
		folder_put(&folder, "explain.c", explain, 0644);
	exercise = (struct exercise){0};
	ck_assert_msg(exercise_load(folder.path, arena, &exercise, &err), "%s",
		err.message);
}

static bool grade(const char *source, struct grade *out, struct error *err)
{
	const struct grade_request request = {
		.exercise = &exercise,
		.file = "solve.c",
		.source = source,
		.source_len = strlen(source),
		.seed = exercise.seed,
	};

	return grade_submission(&request, &tools, arena, out, err);
}

static const char *explanation_of(const char *source)
{
	struct grade graded;
	struct error err = {0};

	ck_assert_msg(grade(source, &graded, &err), "%s", err.message);
	return graded.explanation;
}

START_TEST(the_first_answer_is_the_explanation)
{
	load(EXPLAIN
		"{\n"
		"if (x[0] < 4 || y[0] == expected_y[0]) return false;\n"
		"snprintf(text, 512, \"%g gives %g, not %g; %d, not %d.\",\n"
		"x[0], y[0], expected_y[0], result, expected_result);\n"
		"return true; }\n");
	/* Of each group the first case alone is looked at. */
	ck_assert_str_eq(
		explanation_of(doubles), "10 gives 20, not 5; 1, not 1.");
}
END_TEST

START_TEST(probes_are_asked_about_first_in_order_and_in_one_process)
{
	load(EXPLAIN "{\n"
		     "static double before;\n"
		     "if (before) {\n"
		     "snprintf(text, 512, \"%g, then %g: %g.\", before, x[0],\n"
		     "y[0]); return true; }\n"
		     "before = x[0];\n"
		     "return false; }\n");
	ck_assert_str_eq(explanation_of(doubles), "-1, then -2: -4.");
	/* One that does not return is left out. */
	ck_assert_str_eq(explanation_of(crashes_in_probes), "2, then 10: 0.");
}
END_TEST

START_TEST(probes_are_no_part_of_a_grade)
{
	struct grade graded;
	struct error err = {0};

	load(NULL);
	ck_assert_msg(grade(right, &graded, &err), "%s", err.message);
	ck_assert(graded.passed);
	ck_assert_uint_eq(graded.n_cases, 4);
	ck_assert_uint_eq(graded.n_groups, 3);
	ck_assert_int_eq(graded.max_score, 4);
	ck_assert_uint_eq(exercise.n_cases, 4);
}
END_TEST

START_TEST(what_is_right_or_wrong_in_hidden_cases_alone_is_not_explained)
{
	struct grade graded;
	struct error err = {0};

	load(EXPLAIN "{ strcpy(text, \"Wrong.\"); return true; }\n");
	ck_assert_ptr_null(explanation_of(right));
	ck_assert_ptr_null(explanation_of(wrong_unseen));
	ck_assert_msg(grade(doubles, &graded, &err), "%s", err.message);
	ck_assert_str_eq(graded.explanation, "Wrong.");
}
END_TEST

START_TEST(without_an_answer_or_explain_c_there_is_no_explanation)
{
	load(NULL);
	ck_assert_ptr_null(explanation_of(doubles));
	load(EXPLAIN "{ return false; }\n");
	ck_assert_ptr_null(explanation_of(doubles));
}
END_TEST

/* What explain.c does, and what is said of it behind the folder's name. */
static const struct {
	const char *body;
	const char *says;
} faults[] = {
	{"{ return true; }", "case probe-1: text has a byte 0xa5, was it set?"},
	{"{ text[0] = 0; return true; }", "case probe-1: text is empty"},
	{"{ memset(text, 'a', 512); return true; }",
		"case probe-1: text does not end with a NUL"},
	{"{ strcpy(text, \"a\\xff\"); return true; }",
		"case probe-1: text has a byte 0xff, which is no UTF-8"},
	{"{ strcpy(text, \"a\\tb\"); return x[0] == -2; }",
		"case probe-2: text has a byte 0x09, a control character"},
	{"{ strcpy(text, \"\\xc2\\x9b\"); return true; }",
		"case probe-1: text has a byte 0xc2, a control character"},
	{"{ text[512] = 0; return true; }",
		"case probe-1: explain_half wrote text[512], which is not "
		"there"},
	{"{ __builtin_abort(); }", "case probe-1: explain_half called abort()"},
};

START_TEST(a_fault_of_explain_c_is_the_exercises)
{
	struct grade graded;
	struct error err = {0};
	struct error build = {0};
	char *text =
		arena_printf(arena, &build, "%s%s\n", EXPLAIN, faults[_i].body);
	char *says;

	load(text);
	says = arena_printf(arena, &build, "%s/explain.c: %s", folder.path,
		faults[_i].says);
	ck_assert(!grade(doubles, &graded, &err));
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_str_eq(err.message, says);
	/* Who passes never meets it. */
	ck_assert(grade(right, &graded, &err));
}
END_TEST

START_TEST(letters_beyond_ascii_and_lines_are_text)
{
	load(EXPLAIN "{ strcpy(text, \"Is 2 \\xc3\\x97 3.\\nNot 5.\");\n"
		     "return true; }\n");
	ck_assert_str_eq(explanation_of(doubles), "Is 2 \xc3\x97 3.\nNot 5.");
}
END_TEST

START_TEST(steps_are_those_of_the_call)
{
	const struct case_request request = {
		.exercise = &exercise, .seed = 1, .pattern = "one-1"};
	double half[] = {0.5};
	int count[] = {3};
	struct value outputs[4] = {{0}};
	struct explained_call call = {.outputs = outputs};
	struct case_list list;
	const char *steps;
	struct error err = {0};

	load(EXPLAIN "{ return false; }\n");
	ck_assert_msg(cases_prepare(&request, &tools, arena, &list, &err), "%s",
		err.message);
	call.test_case = &list.cases[0];
	outputs[2] = list.cases[0].arguments[2];
	outputs[2].data = half;
	outputs[3] = (struct value){
		.data = count, .count = 1, .n_axes = 1, .shape = {1}};
	ck_assert_msg(
		explain_steps(&tools, &exercise, &call, arena, &steps, &err),
		"%s", err.message);
	ck_assert_str_eq(steps, "10 to 0.5\n3");
}
END_TEST

Suite *explain_suite(void)
{
	Suite *suite = suite_create("explain");
	TCase *tcase = tcase_create("explain");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, the_first_answer_is_the_explanation);
	tcase_add_test(tcase,
		probes_are_asked_about_first_in_order_and_in_one_process);
	tcase_add_test(tcase, probes_are_no_part_of_a_grade);
	tcase_add_test(tcase,
		what_is_right_or_wrong_in_hidden_cases_alone_is_not_explained);
	tcase_add_test(
		tcase, without_an_answer_or_explain_c_there_is_no_explanation);
	tcase_add_loop_test(
		tcase, a_fault_of_explain_c_is_the_exercises, 0, COUNT(faults));
	tcase_add_test(tcase, letters_beyond_ascii_and_lines_are_text);
	tcase_add_test(tcase, steps_are_those_of_the_call);
	suite_add_tcase(suite, tcase);
	return suite;
}
