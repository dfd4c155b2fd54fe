/* SPDX-License-Identifier: MIT */

/*
 * Whole gradings of a small exercise whose mistakes are known: what is found,
 * and what had better not be.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* An output of each kind, a result, a list that may be NULL, a function that
   has no outputs at all. */
static const char json[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"mix\",\n"
	"\"title\": \"Mix\", \"summary\": \"Mixes\", \"seed\": 7,\n"
	"\"functions\": [{\"name\": \"mix\", \"parameters\": [\n"
	"{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	"{\"name\": \"x\", \"type\": \"double\", \"dims\": [\"n\"], "
	"\"says\": \"b\"},\n"
	"{\"name\": \"more\", \"type\": \"int\", \"dims\": [\"n\"], "
	"\"nullable\": true, \"says\": \"c\"},\n"
	"{\"name\": \"y\", \"type\": \"double\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"d\"},\n"
	"{\"name\": \"half\", \"type\": \"float\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"e\"},\n"
	"{\"name\": \"above\", \"type\": \"bool\", \"dims\": [\"n\"], "
	"\"direction\": \"out\", \"says\": \"f\"}],\n"
	"\"returns\": {\"type\": \"double\", \"says\": \"g\"}},\n"
	"{\"name\": \"count\", \"parameters\": [{\"name\": \"n\", \"type\": "
	"\"size_t\", \"says\": \"a\"}], "
	"\"returns\": {\"type\": \"int\", \"says\": \"y\"}}],\n"
	"\"hints\": [{\"title\": \"One\", \"text\": \"1\"}, {\"title\": "
	"\"Two\", \"text\": \"2\"}],\n"
	"\"stages\": [{\"name\": \"y\", \"choices\": [\n"
	"{\"name\": \"y-triple\", \"says\": \"a\", \"hint\": 2},\n"
	"{\"name\": \"y-plus\", \"says\": \"b\", \"hint\": 1},\n"
	"{\"name\": \"y-added\", \"says\": \"b\", \"hint\": 1},\n"
	"{\"name\": \"y-twin\", \"says\": \"b\", \"hint\": 1},\n"
	"{\"name\": \"y-clipped\", \"says\": \"b\", \"hint\": 1, \"range\": "
	"true}]},\n"
	"{\"name\": \"half\", \"choices\": [\n"
	"{\"name\": \"half-not-set\", \"says\": \"c\", \"hint\": 1},\n"
	"{\"name\": \"half-above\", \"says\": \"d\", \"hint\": 1}]},\n"
	"{\"name\": \"result\", \"choices\": [\n"
	"{\"name\": \"result-nan\", \"says\": \"e\", \"hint\": 1},\n"
	"{\"name\": \"result-large\", \"says\": \"f\", \"hint\": 1, "
	"\"range\": true}]},\n"
	"{\"name\": \"count\", \"choices\": [\n"
	"{\"name\": \"count-less\", \"says\": \"e\", \"hint\": 1}]}],\n"
	"\"groups\": [{\"name\": \"small\", \"title\": \"S\", \"function\": "
	"\"mix\", \"points\": 1, \"tags\": [\"formula\"], \"cases\": [\n"
	"{\"name\": \"given\", \"inputs\": {\"x\": [1, -3], \"more\": "
	"[5, -6]}},\n"
	"{\"name\": \"drawn\", \"count\": 3, \"inputs\": {\"n\": 3, \"x\": "
	"{\"normal\": [0, 1]}, \"more\": null}}]},\n"
	"{\"name\": \"counts\", \"title\": \"C\", \"function\": "
	"\"count\", \"points\": 1, \"tags\": [\"formula\"], \"cases\": [\n"
	"{\"name\": \"counted\", \"inputs\": {\"n\": 5}}]},\n"
	"{\"name\": \"large\", \"title\": \"L\", \"function\": "
	"\"mix\", \"points\": 1, \"tags\": [\"range\"], \"cases\": [\n"
	"{\"name\": \"far\", \"count\": 3, \"inputs\": {\"n\": 3, \"x\": "
	"{\"uniform\": [1000, 2000]}, \"more\": null}}]},\n"
	"{\"name\": \"plain\", \"title\": \"P\", \"function\": "
	"\"count\", \"points\": 1, \"cases\": [\n"
	"{\"name\": \"seven\", \"inputs\": {\"n\": 7}}]},\n"
	"{\"name\": \"unseen\", \"title\": \"U\", \"function\": "
	"\"count\", \"points\": 1, \"visibility\": \"hidden\", \"tags\": "
	"[\"formula\"], \"cases\": [{\"name\": \"hid\", \"inputs\": {\"n\": "
	"9}}]}]}\n";

static const char reference[] =
	"#include \"exercise.h\"\n"
	"void reference_mix(size_t n, const double x[n], const int *more,\n"
	"double y[n], float half[n], bool above[n], double y_tolerance[n],\n"
	"double half_tolerance[n], double result[1],\n"
	"double result_tolerance[1])\n"
	"{\n"
	"*result = more ? more[0] : x[0];\n"
	"*result_tolerance = 1e-9;\n"
	"for (size_t i = 0; i < n; i++) {\n"
	"y[i] = 2 * x[i];\n"
	"y_tolerance[i] = 1e-9;\n"
	"half[i] = (float)x[i] / 2;\n"
	"half_tolerance[i] = 1e-3;\n"
	"above[i] = x[i] > 0;\n"
	"}\n"
	"}\n"
	"void reference_count(size_t n, int result[1]) { result[0] = (int)n; "
	"}\n";

static const char mistakes[] =
	"#include \"exercise.h\"\n"
	"#include <math.h>\n"
	"double mistaken_mix(size_t n, const double x[n], const int *more,\n"
	"double y[n], float half[n], bool above[n], const int choice[4])\n"
	"{\n"
	"for (size_t i = 0; i < n; i++) {\n"
	"double to = 2 * x[i];\n"
	"switch (choice[0]) {\n"
	"case 1: to = 3 * x[i]; break;\n"
	"case 2: to += 1; break;\n"
	"case 3: case 4: to += y[i]; break;\n"
	"case 5: to = to > 2500 ? 2500 : to; break;\n"
	"}\n"
	"y[i] = to;\n"
	"if (choice[1] != 1) half[i] = (float)x[i] / 2;\n"
	"above[i] = choice[1] == 2 ? !(x[i] > 0) : x[i] > 0;\n"
	"}\n"
	"if (choice[2] == 1) return NAN;\n"
	"if (choice[2] == 2 && x[0] > 100) return 1 / 0.0;\n"
	"return more ? more[0] : x[0];\n"
	"}\n"
	"int mistaken_count(size_t n, const int choice[4])\n"
	"{ return (int)n - choice[3]; }\n";

/* A submission, and which mistakes it makes; "" nothing is to be said. */
#define START                                                                  \
	"#include <math.h>\n"                                                  \
	"double mix(size_t n, const double x[n], const int *more,\n"           \
	"double y[n], float half[n], bool above[n])\n{\n"
#define SOLVE(y, half, above, result, count)                                   \
	START "for (size_t i = 0; i < n; i++) {\n" y ";" half ";" above        \
	      ";}\nreturn " result ";}\n"                                      \
	      "int count(size_t n) { return " count "; }\n"
#define Y "y[i] = x[i] * 2"
#define HALF "half[i] = 0.5f * (float)x[i]"
#define ABOVE "above[i] = x[i] > 0"
#define RESULT "more ? *more : x[0]"

static const struct {
	const char *source;
	const char *names;
} rows[] = {
	{SOLVE(Y, HALF, ABOVE, RESULT, "(int)n"), ""},
	{SOLVE("y[i] = x[i] + x[i] + x[i]", HALF, ABOVE, RESULT, "(int)n"),
		"y-triple"},
	/* Seen only by what was in the output before. */
	{SOLVE("y[i] += 2 * x[i]", HALF, ABOVE, RESULT, "(int)n"),
		"y-added|y-twin"},
	{SOLVE(Y, "", ABOVE, RESULT, "(int)n"), "half-not-set"},
	{SOLVE(Y, HALF, "above[i] = x[i] <= 0", RESULT, "(int)n"),
		"half-above"},
	{SOLVE(Y, HALF, ABOVE, "NAN", "(int)n"), "result-nan"},
	{SOLVE(Y, HALF, ABOVE, RESULT, "(int)n - 1"), "count-less"},
	{SOLVE("y[i] = 3 * x[i]", "", ABOVE, RESULT, "(int)n"),
		"y-triple half-not-set"},
	{SOLVE("y[i] = 3 * x[i]", "", ABOVE, "NAN", "(int)n"),
		"y-triple half-not-set result-nan"},
	/* With large numbers alone; and on top of another. */
	{SOLVE("y[i] = fmin(2 * x[i], 2500)", HALF, ABOVE, RESULT, "(int)n"),
		"y-clipped"},
	{SOLVE("y[i] = fmin(2 * x[i], 2500)", HALF, ABOVE,
		 "x[0] > 99 ? INFINITY : " RESULT, "(int)n"),
		"y-clipped result-large"},
	{SOLVE("y[i] = fmin(2 * x[i], 2500)", "", ABOVE, RESULT, "(int)n"),
		"y-clipped half-not-set"},
	/* The formula is known, what it does with large numbers is not. */
	{SOLVE("y[i] = x[i] > 99 ? 7 : 3 * x[i]", HALF, ABOVE, RESULT,
		 "(int)n"),
		"y-triple"},
	{SOLVE(Y, "half[i] = x[i] > 99 ? 7 : x[i] / 2", ABOVE, RESULT,
		 "(int)n"),
		""},
	/* Nearly, or not in all cases. */
	{SOLVE("y[i] = 3.00001 * x[i]", HALF, ABOVE, RESULT, "(int)n"), ""},
	{SOLVE("y[i] = (more ? 2 : 3) * x[i]", HALF, ABOVE, RESULT, "(int)n"),
		""},
	{SOLVE("y[i] = 5 * x[i]", HALF, ABOVE, RESULT, "(int)n"), ""},
	{SOLVE("y[i] = NAN", HALF, ABOVE, RESULT, "(int)n"), ""},
	{SOLVE(Y, HALF, ABOVE, "-NAN", "(int)n"), "result-nan"},
	/* Wrong where no tag is, or in a hidden case. */
	{SOLVE(Y, HALF, ABOVE, RESULT, "n == 7 ? 1 : (int)n"), ""},
	{SOLVE(Y, HALF, ABOVE, RESULT, "n == 9 ? 8 : (int)n"), ""},
	/* What ends in one of the cases is compared in the others, where these
	   are most. */
	{SOLVE("y[i] = 3 * x[i]; if (more) __builtin_trap()", HALF, ABOVE,
		 RESULT, "(int)n"),
		"y-triple"},
	{SOLVE("y[i] = 3 * x[i]; if (!more) __builtin_trap()", HALF, ABOVE,
		 RESULT, "(int)n"),
		""},
	{SOLVE("y[i] = 3 * x[i]; if (x[0] > 99) __builtin_trap()", HALF, ABOVE,
		 RESULT, "(int)n"),
		"y-triple"},
	/* Does otherwise the second time. */
	{"static int calls;\n" SOLVE("y[i] = (calls++ < 40 ? 3 : 4) * x[i]",
		 HALF, ABOVE, RESULT, "(int)n"),
		"y-triple"},
};

static struct arena *arena;
static struct tools tools;
static struct exercise exercise;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	tools = (struct tools){.cancel = -1};
	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	tools.sandbox = jail_create(tools.toolchain.reads);
	ck_assert_msg(exercise_read("exercise.json", json, strlen(json), arena,
			      &exercise, &err),
		"%s", err.message);
	exercise.folder = "mix";
	exercise.reference = (struct exercise_source){
		"reference.c", reference, strlen(reference)};
	exercise.mistakes = (struct exercise_source){
		"mistakes.c", mistakes, strlen(mistakes)};
}

static void tear_down(void)
{
	sandbox_destroy(tools.sandbox);
	arena_destroy(arena);
}

static bool grade(const char *source, struct grade *out, struct error *err)
{
	const struct grade_request request = {
		.exercise = &exercise,
		.file = "solve.c",
		.source = source,
		.source_len = strlen(source),
		.seed = 7,
	};

	return grade_submission(&request, &tools, arena, out, err);
}

static void put_name(char *out, size_t size, const char *between,
	const struct mistake *mistake)
{
	size_t len = strlen(out);

	snprintf(out + len, size - len, "%s%s", len ? between : "",
		mistake->name);
}

START_TEST(what_is_known_is_named_and_nothing_else)
{
	struct grade graded;
	struct error err = {0};
	char names[256] = "";

	ck_assert_msg(grade(rows[_i].source, &graded, &err), "%s", err.message);
	ck_assert_msg(graded.compiled, "%s", graded.diagnostics[0].message);
	for (size_t f = 0; f < graded.diagnosis.n_findings; f++) {
		const struct finding *finding = &graded.diagnosis.findings[f];

		put_name(names, sizeof(names), " ", finding->mistake);
		for (size_t a = 0; a < finding->n_also; a++)
			put_name(names, sizeof(names), "|", finding->also[a]);
		/* given, drawn-1 to -3, counted; far-1 to -3 */
		ck_assert_uint_eq(finding->of, finding->mistake->range ? 3 : 5);
		ck_assert_uint_eq(finding->cases,
			finding->of - (strstr(rows[_i].source, "(more)") != 0));
	}
	ck_assert_str_eq(names, rows[_i].names);
}
END_TEST

static const struct {
	const char *code;
	const char *error;
} faults[] = {
	{"int x = ;", "mix/mistakes.c:1: expected expression before ';' token"},
	{"#include \"exercise.h\"\nint mistaken_count(size_t n, const int "
	 "choice[4]) { return 0; }",
		"mix/mistakes.c: there is no function named mistaken_mix; "
		"there is "
		"mistaken_count"},
	{"#include \"exercise.h\"\n"
	 "double mistaken_mix(size_t n, const double x[n], const int *more,\n"
	 "double y[n], float half[n], bool above[n], const int choice[4])\n"
	 "{ return *(volatile int *)8; }\n"
	 "int mistaken_count(size_t n, const int choice[4]) { return 0; }",
		"mix/mistakes.c: case given: grader_search died of SIGSEGV"},
};

START_TEST(a_fault_of_mistakes_c_is_the_exercises)
{
	struct grade graded;
	struct error err = {0};

	exercise.mistakes.data = faults[_i].code;
	exercise.mistakes.len = strlen(faults[_i].code);
	ck_assert(!grade(rows[1].source, &graded, &err));
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_str_eq(err.message, faults[_i].error);
	/* Who passes pays nothing for it. */
	ck_assert_msg(grade(rows[0].source, &graded, &err), "%s", err.message);
	ck_assert(graded.passed);
}
END_TEST

Suite *diagnose_suite(void)
{
	Suite *suite = suite_create("diagnose");
	TCase *tcase = tcase_create("diagnose");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, what_is_known_is_named_and_nothing_else, 0,
		(int)COUNT(rows));
	tcase_add_loop_test(tcase, a_fault_of_mistakes_c_is_the_exercises, 0,
		(int)COUNT(faults));
	suite_add_tcase(suite, tcase);
	return suite;
}
