/* SPDX-License-Identifier: MIT */

/*
 * What a submission does wrong with memory, through the program itself.  That
 * each kind is found where it is stands in tests/submissions/wrong/slip_*.c.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
	"void solve(size_t Tq, size_t Tk, size_t d, size_t d_v,\n"             \
	"           const double Q[Tq][d], const double K[Tk][d],\n"           \
	"           const double V[Tk][d_v], bool causal,\n"                   \
	"           double output[Tq][d_v])\n"                                 \
	"{\n"

static struct folder folder;
static glob_t correct;

static void set_up(void)
{
	folder_make(&folder);
}

static void tear_down(void)
{
	folder_remove(&folder);
}

static struct command grade(const char *file, const char *report)
{
	const char *const argv[] = {command_grader(), "grade", "attention",
		file, "--report", report, NULL};

	return command_run(argv, NULL, NULL);
}

static cJSON *grade_json(const char *file)
{
	struct command command = grade(file, "json");
	cJSON *report = cJSON_ParseWithLength(command.out, command.out_len);

	ck_assert_msg(report != NULL, "%s%s", command.out, command.errors);
	command_finish(&command);
	return report;
}

static const cJSON *slips_of(const cJSON *report)
{
	return cJSON_GetObjectItemCaseSensitive(report, "slips");
}

/* A right solution, but for one number that is added to when all is done. */
START_TEST(a_program_that_is_careful_with_memory_has_no_slips)
{
	const char *file = correct.gl_pathv[_i];
	CLEANUP(cleanup_text) struct text source = {0};
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err;
	cJSON *report;
	size_t len;

	ck_assert(file_read(file, 1 << 20, &data, &len, &err));
	text_puts(&source, "#define solve inner\n");
	text_put(&source, data, len);
	text_puts(&source,
		"\n#undef solve\n" HEAD
		"\tinner(Tq, Tk, d, d_v, (const void *)Q, (const void *)K,\n"
		"\t\t(const void *)V, causal, (void *)output);\n"
		"\toutput[Tq - 1][d_v - 1] += 1;\n"
		"}\n");
	report = grade_json(folder_put(&folder, "solve.c", source.data, 0600));
	ck_assert_msg(cJSON_GetArraySize(slips_of(report)) == 0, "%s: %s", file,
		cJSON_Print(slips_of(report)));
	ck_assert(!cJSON_IsTrue(
		cJSON_GetObjectItemCaseSensitive(report, "passed")));
	cJSON_Delete(report);
}
END_TEST

START_TEST(a_renumbered_source_has_slips_without_lines_and_the_reason)
{
	const char *file = folder_put(&folder, "solve.c",
		"#line 1 \"/etc/passwd\"\n" HEAD
		"\tdouble w[2];\n\tw[Tq + 1] = 1;\n}\n",
		0600);
	struct command text = grade(file, "text");
	cJSON *report = grade_json(file);
	const cJSON *slip = cJSON_GetArrayItem(slips_of(report), 0);

	ck_assert_ptr_nonnull(slip);
	ck_assert(cJSON_IsNull(
		cJSON_GetObjectItemCaseSensitive(slip, "location")));
	ck_assert_msg(strstr(text.out, "No line is shown, since #line gives"),
		"%s", text.out);
	command_finish(&text);
	cJSON_Delete(report);
}
END_TEST

START_TEST(a_renumbered_source_that_crashes_has_the_reason)
{
	struct command text = grade(
		folder_put(&folder, "solve.c",
			"# 7\n" HEAD "\t*(volatile int *)0 = 1;\n}\n", 0600),
		"text");

	ck_assert_msg(strstr(text.out, "No line is shown, since #line gives"),
		"%s", text.out);
	command_finish(&text);
}
END_TEST

/* Whatever is done in the build with checks alone. */
static const char *const otherwise[] = {
	"\tfor (;;)\n\t\t;\n",
	"\t__builtin_trap();\n",
	"\toutput[0][0] = 1 / (int)(Tq - Tq);\n",
	"\t((double *)0)[Tq] = 1;\n",
	"\textern int printf(const char *, ...);\n"
	"\tprintf(\"100 of 100 points\\n\");\n",
};

START_TEST(points_and_verdicts_are_those_of_the_graded_build)
{
	CLEANUP(cleanup_text) struct text source = {0};
	CLEANUP(cleanup_free) char *printed = NULL;
	const cJSON *cases, *item;
	cJSON *report;

	text_printf(&source,
		HEAD "#ifdef __OPTIMIZE__\n\tif (Tq != 3)\n"
		     "\t\toutput[0][0] = 0;\n"
		     "#else\n%s#endif\n}\n",
		otherwise[_i]);
	report = grade_json(folder_put(&folder, "solve.c", source.data, 0600));
	cases = cJSON_GetObjectItemCaseSensitive(report, "cases");
	cJSON_ArrayForEach(item, cases)
	{
		const char *verdict =
			cJSON_GetObjectItemCaseSensitive(item, "verdict")
				->valuestring;

		ck_assert_str_eq(verdict, "WRONG_ANSWER");
	}
	ck_assert_int_eq(
		cJSON_GetObjectItemCaseSensitive(report, "score")->valueint, 0);
	printed = cJSON_Print(report);
	ck_assert_ptr_null(strstr(printed, "100 of 100"));
	cJSON_Delete(report);
}
END_TEST

START_TEST(no_case_of_a_slip_is_hidden)
{
	cJSON *report = grade_json(folder_put(&folder, "solve.c",
		HEAD "\tdouble w[2];\n\tw[Tq + 1] = 1;\n}\n", 0600));
	const cJSON *slip;

	ck_assert_int_gt(cJSON_GetArraySize(slips_of(report)), 0);
	cJSON_ArrayForEach(slip, slips_of(report))
	{
		const char *name =
			cJSON_GetObjectItemCaseSensitive(slip, "case")
				->valuestring;

		ck_assert_ptr_null(strstr(name, "unseen"));
	}
	cJSON_Delete(report);
}
END_TEST

Suite *slips_suite(void)
{
	Suite *suite = suite_create("slips");
	TCase *tcase = tcase_create("slips");

	glob("tests/submissions/correct/*.c", 0, NULL, &correct);
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase,
		a_program_that_is_careful_with_memory_has_no_slips, 0,
		(int)correct.gl_pathc);
	tcase_add_test(tcase,
		a_renumbered_source_has_slips_without_lines_and_the_reason);
	tcase_add_test(tcase, a_renumbered_source_that_crashes_has_the_reason);
	tcase_add_loop_test(tcase,
		points_and_verdicts_are_those_of_the_graded_build, 0,
		(int)(sizeof(otherwise) / sizeof(*otherwise)));
	tcase_add_test(tcase, no_case_of_a_slip_is_hidden);
	suite_add_tcase(suite, tcase);
	return suite;
}
