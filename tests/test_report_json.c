/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "grader/report/json.h"
#include "tests/suites.h"
#include "tests/support/sample.h"
#include "tests/support/schema.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Writes the sample's report, checks it against the schema, parses it. */
static cJSON *report(const struct sample *sample)
{
	struct text out = {0};
	struct error err = {0};
	cJSON *parsed;

	ck_assert_msg(
		report_put_json(&out, &sample->grade, &sample->options, &err),
		"%s", err.message);
	schema_check_report(out.data, out.len);
	parsed = cJSON_Parse(out.data);
	ck_assert_ptr_nonnull(parsed);
	text_finish(&out);
	return parsed;
}

/* An item of case number index. */
static const cJSON *case_item(const cJSON *parsed, int index, const char *name)
{
	const cJSON *cases = cJSON_GetObjectItem(parsed, "cases");

	return cJSON_GetObjectItem(cJSON_GetArrayItem(cases, index), name);
}

static void check_string(const cJSON *item, const char *expected)
{
	ck_assert(cJSON_IsString(item));
	ck_assert_str_eq(item->valuestring, expected);
}

static void init(struct sample *sample)
{
	sample_init(sample);
	/* Of the length of real ones, as the schema wants. */
	memset(sample->exercise.hash, 'e', 64);
	memset(sample->grade.source_hash, '5', 64);
}

START_TEST(a_grade_that_passed_has_every_field)
{
	struct sample sample;
	cJSON *parsed;

	init(&sample);
	sample.options.hints_opened = 1;
	parsed = report(&sample);
	check_string(cJSON_GetObjectItem(parsed, "verdict"), "PASS");
	check_string(case_item(parsed, 0, "rerun"),
		"grader grade attention solve.c --case example-1 --seed "
		"20261129");
	ck_assert(cJSON_IsNull(case_item(parsed, 4, "rerun")));
	ck_assert_int_eq(
		cJSON_GetArraySize(cJSON_GetObjectItem(parsed, "cases")),
		SAMPLE_CASES);
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(a_wrong_answer_has_its_numbers)
{
	struct sample sample;
	const cJSON *mismatch;
	cJSON *parsed;

	init(&sample);
	sample_fail_with(&sample, 0, 0.1, 0.2);
	parsed = report(&sample);
	mismatch = case_item(parsed, 0, "mismatch");
	check_string(cJSON_GetObjectItem(mismatch, "array"), "output");
	ck_assert_double_eq(
		cJSON_GetObjectItem(mismatch, "expected")->valuedouble, 0.1);
	ck_assert_double_eq(
		cJSON_GetObjectItem(mismatch, "got")->valuedouble, 0.2);
	mismatch = cJSON_GetObjectItem(mismatch, "index");
	ck_assert_int_eq(cJSON_GetArraySize(mismatch), 2);
	ck_assert_int_eq(cJSON_GetArrayItem(mismatch, 0)->valueint, 2);
	ck_assert_int_eq(cJSON_GetArrayItem(mismatch, 1)->valueint, 1);
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(what_json_has_no_number_for_is_a_string)
{
	struct sample sample;
	const cJSON *mismatch;
	cJSON *parsed;

	init(&sample);
	sample_fail_with(&sample, 0, 1, NAN);
	sample_fail_with(&sample, 1, 1, -INFINITY);
	parsed = report(&sample);
	mismatch = case_item(parsed, 0, "mismatch");
	check_string(cJSON_GetObjectItem(mismatch, "got"), "NaN");
	check_string(cJSON_GetObjectItem(mismatch, "error"), "NaN");
	mismatch = case_item(parsed, 1, "mismatch");
	check_string(cJSON_GetObjectItem(mismatch, "got"), "-Infinity");
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(a_result_is_an_array_called_return_with_no_index)
{
	struct sample sample;
	const cJSON *mismatch;
	cJSON *parsed;

	init(&sample);
	sample_fail_with(&sample, 0, 1, 2)->mismatch.output = SAMPLE_PARAMETERS;
	parsed = report(&sample);
	mismatch = case_item(parsed, 0, "mismatch");
	check_string(cJSON_GetObjectItem(mismatch, "array"), "result");
	ck_assert_int_eq(
		cJSON_GetArraySize(cJSON_GetObjectItem(mismatch, "index")), 0);
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(a_truth_value_stays_one)
{
	struct sample sample;
	struct mismatch *mismatch;
	const cJSON *item;
	cJSON *parsed;

	init(&sample);
	mismatch = &sample_fail_with(&sample, 0, 0, 0)->mismatch;
	mismatch->type = TYPE_BOOL;
	mismatch->expected_number = 1;
	mismatch->got_number = 165;
	parsed = report(&sample);
	item = case_item(parsed, 0, "mismatch");
	ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(item, "expected")));
	ck_assert_int_eq(cJSON_GetObjectItem(item, "got")->valueint, 165);
	ck_assert(cJSON_IsNull(cJSON_GetObjectItem(item, "error")));
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(a_crash_has_its_line_and_what_was_printed)
{
	struct sample sample;
	struct case_grade *graded;
	cJSON *parsed;

	init(&sample);
	graded = sample_fail(&sample, 0, VERDICT_RUNTIME_ERROR);
	graded->ended.end = RUN_SIGNALED;
	graded->ended.signal = SIGFPE;
	graded->line = 5;
	graded->text = "a\0\xff\033\n\tb\"\\";
	graded->text_len = 9;
	graded->text_cut = true;
	parsed = report(&sample);
	check_string(
		cJSON_GetObjectItem(case_item(parsed, 0, "location"), "file"),
		"solve.c");
	check_string(
		case_item(parsed, 0, "stdout"), "a\\x00\\xff\\x1b\n\tb\"\\");
	ck_assert(cJSON_IsTrue(case_item(parsed, 0, "stdout_truncated")));
	check_string(case_item(parsed, 0, "message"),
		"divided by zero, or the lowest int by -1 (whole numbers, / or "
		"%)");
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(a_hidden_case_has_no_details)
{
	static const char *const empty[] = {"cpu_us", "location", "mismatch",
		"stdout", "stdout_truncated", "rerun"};
	struct sample sample;
	struct case_grade *graded;
	cJSON *parsed;

	init(&sample);
	graded = sample_fail_with(&sample, 4, 41.5, 42.5);
	graded->line = 43;
	graded->text = "Q = 44\n";
	graded->text_len = 7;
	graded->cpu_us = 45;
	parsed = report(&sample);
	check_string(case_item(parsed, 4, "verdict"), "WRONG_ANSWER");
	check_string(case_item(parsed, 4, "message"), "wrong answer");
	for (size_t i = 0; i < sizeof(empty) / sizeof(*empty); i++)
		ck_assert_msg(cJSON_IsNull(case_item(parsed, 4, empty[i])),
			"%s", empty[i]);
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(some_cases_have_no_score)
{
	struct sample sample;
	cJSON *parsed;

	init(&sample);
	sample.grade.scored = false;
	parsed = report(&sample);
	ck_assert(cJSON_IsNull(cJSON_GetObjectItem(parsed, "score")));
	ck_assert(cJSON_IsNull(cJSON_GetObjectItem(parsed, "max_score")));
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(every_bit_of_a_seed_is_kept)
{
	struct sample sample;
	struct text out = {0};
	struct error err = {0};

	init(&sample);
	sample.grade.seed = UINT64_MAX - 1;
	ck_assert(report_put_json(&out, &sample.grade, &sample.options, &err));
	ck_assert_ptr_nonnull(
		strstr(out.data, "\"seed\":\t18446744073709551614,"));
	text_finish(&out);
}
END_TEST

START_TEST(diagnostics_and_missing_layers_are_listed)
{
	static const struct diagnostic diagnostics[] = {
		{SEVERITY_ERROR, 5, 9, "expected \033[31m';'\xff", NULL, "x",
			1},
		{SEVERITY_NOTE, 0, 0, "none", NULL, NULL, 0},
	};
	struct sample sample;
	const cJSON *item;
	cJSON *parsed;

	init(&sample);
	sample_fail(&sample, 0, VERDICT_COMPILE_ERROR);
	sample.grade.compiled = false;
	sample.grade.diagnostics = diagnostics;
	sample.grade.n_diagnostics = 2;
	sample.layers[1].state = LAYER_MISSING;
	strcpy(sample.layers[1].reason, "the kernel has none");
	parsed = report(&sample);
	item = cJSON_GetObjectItem(
		cJSON_GetObjectItem(parsed, "compile"), "diagnostics");
	check_string(
		cJSON_GetObjectItem(cJSON_GetArrayItem(item, 0), "message"),
		"expected \\x1b[31m';'\\xff");
	ck_assert(cJSON_IsNull(
		cJSON_GetObjectItem(cJSON_GetArrayItem(item, 1), "line")));
	check_string(cJSON_GetObjectItem(cJSON_GetObjectItem(parsed, "sandbox"),
			     "landlock"),
		"missing");
	item = cJSON_GetObjectItem(parsed, "sandbox_reasons");
	check_string(
		cJSON_GetObjectItem(item, "landlock"), "the kernel has none");
	ck_assert_int_eq(cJSON_GetArraySize(item), 1);
	cJSON_Delete(parsed);
}
END_TEST

/* What a shell would take apart or expand is quoted. */
static const struct {
	const char *file;
	const char *says;
} files[] = {
	{"solve.c", "solve.c"},
	{"my solve.c", "'my solve.c'"},
	{"it's.c", "'it'\\''s.c'"},
	{"$HOME/`id`.c", "'$HOME/`id`.c'"},
	{"-o.c", "./-o.c"},
	{"-", "-"},
};

START_TEST(an_explanation_is_there_if_there_is_one)
{
	struct sample sample;
	cJSON *parsed;

	init(&sample);
	parsed = report(&sample);
	ck_assert_ptr_null(cJSON_GetObjectItem(parsed, "explanation"));
	cJSON_Delete(parsed);
	sample.grade.explanation = "You divide by 8.";
	parsed = report(&sample);
	check_string(
		cJSON_GetObjectItem(parsed, "explanation"), "You divide by 8.");
	cJSON_Delete(parsed);
}
END_TEST

START_TEST(the_command_to_run_a_case_again_is_quoted)
{
	struct sample sample;
	char expected[128];
	cJSON *parsed;

	init(&sample);
	sample.grade.file = files[_i].file;
	parsed = report(&sample);
	snprintf(expected, sizeof(expected),
		"grader grade attention %s --case example-1 --seed 20261129",
		files[_i].says);
	check_string(case_item(parsed, 0, "rerun"), expected);
	cJSON_Delete(parsed);
}
END_TEST

Suite *report_json_suite(void)
{
	Suite *suite = suite_create("report_json");
	TCase *tcase = tcase_create("json");

	tcase_set_timeout(tcase, 30); /* Python may have to start */
	tcase_add_test(tcase, a_grade_that_passed_has_every_field);
	tcase_add_test(tcase, a_wrong_answer_has_its_numbers);
	tcase_add_test(tcase, what_json_has_no_number_for_is_a_string);
	tcase_add_test(tcase, a_result_is_an_array_called_return_with_no_index);
	tcase_add_test(tcase, a_truth_value_stays_one);
	tcase_add_test(tcase, a_crash_has_its_line_and_what_was_printed);
	tcase_add_test(tcase, a_hidden_case_has_no_details);
	tcase_add_test(tcase, some_cases_have_no_score);
	tcase_add_test(tcase, every_bit_of_a_seed_is_kept);
	tcase_add_test(tcase, an_explanation_is_there_if_there_is_one);
	tcase_add_test(tcase, diagnostics_and_missing_layers_are_listed);
	tcase_add_loop_test(tcase, the_command_to_run_a_case_again_is_quoted, 0,
		sizeof(files) / sizeof(*files));
	suite_add_tcase(suite, tcase);
	return suite;
}
