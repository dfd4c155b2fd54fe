/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/text.h"
#include "tests/suites.h"
#include "tests/support/sample.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

typedef void put_function(struct text *out, const struct grade *grade,
	const struct report_options *options);

/* What is written of a sample, in a buffer that the next call overwrites. */
static const char *write_with(put_function *put, const struct sample *sample)
{
	static char buffer[65536];
	struct text out = {0};

	put(&out, &sample->grade, &sample->options);
	ck_assert(!out.failed);
	ck_assert_uint_lt(out.len, sizeof(buffer));
	snprintf(buffer, sizeof(buffer), "%s", out.data ? out.data : "");
	text_finish(&out);
	return buffer;
}

static const char *report(const struct sample *sample)
{
	return write_with(report_put_text, sample);
}

static void check_put(
	put_function *put, const struct sample *sample, const char *expected)
{
	const char *got = write_with(put, sample);

	if (strcmp(got, expected) != 0)
		ck_abort_msg("got:\n%s\nexpected:\n%s", got, expected);
}

static void check_report(const struct sample *sample, const char *expected)
{
	check_put(report_put_text, sample, expected);
}

static void check_brief(const struct sample *sample, const char *expected)
{
	check_put(report_put_brief, sample, expected);
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* A sample with a wrong answer and a crash, and printed text. */
static void init_failing(struct sample *sample)
{
	struct case_grade *graded;

	sample_init(sample);
	graded = sample_fail_with(sample, 1, 6.697615493, 7.310585786);
	graded->mismatch.wrong_digit = 1;
	graded->text = "sum 1\n\033[31mred\n";
	graded->text_len = strlen(graded->text);
	graded = sample_fail(sample, 2, VERDICT_RUNTIME_ERROR);
	graded->ended.end = RUN_SIGNALED;
	graded->ended.signal = SIGSEGV;
	graded->access = (struct access){
		.known = true, .parameter = SAMPLE_Q, .element = 15};
	graded->line = 5;
	sample_fail_with(sample, 3, 1, NAN);
	sample_fail(sample, 4, VERDICT_WRONG_ANSWER);
}

START_TEST(a_grade_that_passed_is_a_few_lines)
{
	struct sample sample;

	sample_init(&sample);
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  2/2    ✓\n"
		"  scores above 1000      2/2    ✓\n"
		"  not shown (hidden)     1/1    ✓\n"
		"\n"
		"  10 of 10 points · passed\n");
}
END_TEST

START_TEST(the_first_failing_case_of_each_group_is_shown)
{
	struct sample sample;

	init_failing(&sample);
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  1/2    ✗ example-2  output[2][1]: "
		"expected 6.697615, got 7.310586 (wrong from the 1st digit)\n"
		"  scores above 1000      0/2    ✗ above-1    read Q[15]: Q "
		"has 15 elements (5 rows of 3), at solve.c:5\n"
		"       5 |         sum += Q[i][d];\n"
		"  not shown (hidden)     0/1    ✗ unseen     wrong answer\n"
		"\n"
		"  1 of 10 points · not passed\n"
		"\n"
		"  example-2 printed:\n"
		"      │ sum 1\n"
		"      │ \\x1b[31mred\n"
		"\n"
		"  → grader hint attention 1\n");
}
END_TEST

START_TEST(verbose_shows_every_case)
{
	struct sample sample;

	init_failing(&sample);
	sample.options.verbose = true;
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  1/2\n"
		"    ✓ example-1\n"
		"    ✗ example-2  output[2][1]: expected 6.697615, got "
		"7.310586 (wrong from the 1st digit); 2 of 15 numbers are "
		"wrong\n"
		"      │ sum 1\n"
		"      │ \\x1b[31mred\n"
		"  scores above 1000      0/2\n"
		"    ✗ above-1    read Q[15]: Q has 15 elements (5 rows of 3), "
		"at solve.c:5\n"
		"       5 |         sum += Q[i][d];\n"
		"    ✗ above-2    output[2][1] is NaN, expected 1; 2 of 15 "
		"numbers are wrong\n"
		"  not shown (hidden)     0/1\n"
		"    ✗ unseen     wrong answer\n"
		"\n"
		"  1 of 10 points · not passed\n"
		"\n"
		"  → grader hint attention 1\n");
}
END_TEST

START_TEST(in_ascii_nothing_else_is_written)
{
	struct sample sample;

	init_failing(&sample);
	sample.options.style.ascii = true;
	check_report(&sample,
		"attention - solve.c      seed 20261129 - gcc 12.2.0 -O1, musl "
		"1.2.3 - all layers\n"
		"\n"
		"  the lesson's examples  1/2    x example-2  output[2][1]: "
		"expected 6.697615, got 7.310586 (wrong from the 1st digit)\n"
		"  scores above 1000      0/2    x above-1    read Q[15]: Q "
		"has 15 elements (5 rows of 3), at solve.c:5\n"
		"       5 |         sum += Q[i][d];\n"
		"  not shown (hidden)     0/1    x unseen     wrong answer\n"
		"\n"
		"  1 of 10 points - not passed\n"
		"\n"
		"  example-2 printed:\n"
		"      | sum 1\n"
		"      | \\x1b[31mred\n"
		"\n"
		"  -> grader hint attention 1\n");
}
END_TEST

START_TEST(colours_are_set_and_reset)
{
	struct sample sample;

	init_failing(&sample);
	sample.options.style.color = true;
	check_report(&sample,
		"\033[1mattention\033[0m · solve.c      \033[2mseed 20261129 · "
		"gcc 12.2.0 -O1, musl 1.2.3 · all layers\033[0m\n"
		"\n"
		"  the lesson's examples  \033[31m1/2\033[0m    "
		"\033[31m✗\033[0m example-2  output[2][1]: expected 6.697615, "
		"got 7.310586 (wrong from the 1st digit)\n"
		"  scores above 1000      \033[31m0/2\033[0m    "
		"\033[31m✗\033[0m above-1    read Q[15]: Q has 15 elements (5 "
		"rows of 3), at solve.c:5\n"
		"\033[2m       5 |\033[0m         sum += Q[i][d];\n"
		"  not shown (hidden)     \033[31m0/1\033[0m    "
		"\033[31m✗\033[0m unseen     wrong answer\n"
		"\n"
		"  1 of 10 points · \033[31mnot passed\033[0m\n"
		"\n"
		"  example-2 printed:\n"
		"\033[2m      │ sum 1\033[0m\n"
		"\033[2m      │ \\x1b[31mred\033[0m\n"
		"\n"
		"  → grader hint attention 1\n");
}
END_TEST

/* The header without room: the circumstances go to a line of their own, and
   what is missing is named. */
START_TEST(layers_that_are_missing_are_named)
{
	struct sample sample;

	sample_init(&sample);
	sample.grade.file = "a/folder/somewhere/else/solve.c";
	sample.layers[1].state = LAYER_MISSING;
	strcpy(sample.layers[1].reason, "the kernel answers ENOSYS");
	check_report(&sample,
		"attention · a/folder/somewhere/else/solve.c\n"
		"  seed 20261129 · gcc 12.2.0 -O1, musl 1.2.3\n"
		"  without landlock (grader doctor says why)\n"
		"\n"
		"  the lesson's examples  2/2    ✓\n"
		"  scores above 1000      2/2    ✓\n"
		"  not shown (hidden)     1/1    ✓\n"
		"\n"
		"  10 of 10 points · passed\n");
}
END_TEST

START_TEST(titles_line_up_and_the_longest_are_cut)
{
	struct sample sample;

	sample_init(&sample);
	sample.groups[0].title =
		"a title – that takes more room than there is for it";
	sample.groups[1].n_cases = sample.groups[1].n_passed = 1000;
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  a title – that takes more room than there i…  2/2        ✓\n"
		"  scores above 1000                             1000/1000  ✓\n"
		"  not shown (hidden)                            1/1        ✓\n"
		"\n"
		"  10 of 10 points · passed\n");
}
END_TEST

START_TEST(some_cases_have_no_score)
{
	struct sample sample;

	init_failing(&sample);
	sample.grade.scored = false;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"\n  1 of 5 cases passed, no score for only some cases · not "
		"passed\n"));
}
END_TEST

START_TEST(a_failure_of_the_grader_is_no_result)
{
	struct sample sample;

	sample_init(&sample);
	sample_fail(&sample, 0, VERDICT_GRADER_ERROR)->ended.end = RUN_STARVED;
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  1/2    ✗ example-1  the grader "
		"failed here, not your program: this machine was too busy to "
		"run it; please grade again\n"
		"  scores above 1000      2/2    ✓\n"
		"  not shown (hidden)     1/1    ✓\n"
		"\n"
		"  no result: the grader failed, which says nothing about the "
		"submission\n");
}
END_TEST

START_TEST(bytes_of_the_submission_are_escaped)
{
	struct sample sample;

	init_failing(&sample);
	sample.grade.file = "a\033[2Jb\n.c";
	sample.grade.source = "\n\n\n\n\033[31m\xff\n";
	sample.grade.source_len = 12;
	ck_assert_ptr_null(strchr(report(&sample), '\033'));
	ck_assert_ptr_nonnull(strstr(report(&sample), "a\\x1b[2Jb\\x0a.c:5"));
	ck_assert_ptr_nonnull(strstr(report(&sample), "| \\x1b[31m\\xff\n"));
}
END_TEST

START_TEST(the_next_hint_is_the_one_not_yet_opened)
{
	struct sample sample;

	init_failing(&sample);
	sample.options.exercise = "--exercises 'my exercises' attention";
	sample.options.hints_opened = 1;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"→ grader hint --exercises 'my exercises' attention 2\n"));
	sample.options.hints_opened = 2;
	ck_assert_ptr_null(strstr(report(&sample), "grader hint"));
}
END_TEST

START_TEST(the_hint_that_fits_comes_first)
{
	static const struct mistake mistake = {
		.says = "the scores are not scaled", .hint = 2};
	static const struct finding finding = {.mistake = &mistake, .cases = 3};
	struct sample sample;

	init_failing(&sample);
	sample.grade.diagnosis = (struct diagnosis){&finding, 1};
	ck_assert_ptr_nonnull(
		strstr(report(&sample), "→ grader hint attention 2\n"));
	/* Read it again. */
	sample.options.hints_opened = 2;
	ck_assert_ptr_nonnull(
		strstr(report(&sample), "→ grader hint attention 2\n"));
	sample.grade.compiled = false;
	ck_assert_ptr_null(strstr(report(&sample), "grader hint"));
}
END_TEST

START_TEST(a_brief_report_says_the_most_useful_first)
{
	struct sample sample;

	init_failing(&sample);
	sample.cases[0].verdict = VERDICT_PASS;
	sample.cases[1].verdict = VERDICT_PASS;
	sample.cases[1].text_len = 0;
	check_brief(&sample,
		"attention · solve.c\n"
		"  1 of 10 points · not passed\n"
		"\n"
		"  scores above 1000      0/2    ✗ above-1  read Q[15]: Q "
		"has 15 elements (5 rows of 3), at solve.c:5\n"
		"       5 |         sum += Q[i][d];\n"
		"  not shown (hidden)     0/1    ✗ unseen   wrong answer\n"
		"  … and 1 group passed\n");
	sample_init(&sample);
	check_brief(&sample,
		"attention · solve.c\n"
		"  10 of 10 points · passed\n");
}
END_TEST

START_TEST(a_brief_report_has_no_more_lines_than_it_may)
{
	struct sample sample;

	init_failing(&sample);
	sample.options.rows = 5;
	check_brief(&sample,
		"attention · solve.c\n"
		"  1 of 10 points · not passed\n"
		"\n"
		"  the lesson's examples  1/2    ✗ example-2  output[2][1]: "
		"expected 6.697615, got 7.310586 (wrong from the 1st digit)\n"
		"  …\n");
}
END_TEST

START_TEST(failing_cases_are_listed_a_line_each)
{
	struct sample sample;

	init_failing(&sample);
	check_put(report_put_failing, &sample,
		"  ✗ example-2  output[2][1]: expected 6.697615, got 7.310586 "
		"(wrong from the 1st digit)\n"
		"  ✗ above-1    read Q[15]: Q has 15 elements (5 rows of 3), "
		"at solve.c:5\n"
		"  ✗ above-2    output[2][1] is NaN, expected 1\n"
		"  ✗ unseen     wrong answer\n");
	sample.options.style.fold = true;
	sample.options.style.width = 30;
	check_put(report_put_failing, &sample,
		"  ✗ example-2  output[2][1]: e\n"
		"  ✗ above-1    read Q[15]: Q h\n"
		"  ✗ above-2    output[2][1] is\n"
		"  ✗ unseen     wrong answer\n");
	sample_init(&sample);
	check_put(report_put_failing, &sample, "");
}
END_TEST

/* Thirty groups, all failing with a line of their own and text. */
START_TEST(a_long_report_fits_on_a_screen)
{
	static struct group_grade groups[30];
	static struct case_grade cases[30];
	struct sample sample;

	init_failing(&sample);
	for (size_t i = 0; i < COUNT(groups); i++) {
		groups[i] = sample.groups[1];
		cases[i] = sample.cases[i % 2 ? 2 : 1];
		cases[i].group = i;
		cases[i].line = (int)i % 6 + 1;
		cases[i].text = "1\n2\n3\n4\n5\n6\n7\n8\n";
		cases[i].text_len = 16;
		if (i >= 24) {
			groups[i].n_passed = 2;
			cases[i].verdict = VERDICT_PASS;
		}
	}
	sample.grade.groups = groups;
	sample.grade.n_groups = COUNT(groups);
	sample.grade.cases = cases;
	sample.grade.n_cases = COUNT(cases);
	ck_assert_uint_le(count_lines(report(&sample)), 40);
	ck_assert_ptr_nonnull(
		strstr(report(&sample), "\n  … and 8 more groups failed\n"));
	ck_assert_ptr_nonnull(
		strstr(report(&sample), "\n  … and 6 more groups passed\n"));
}
END_TEST

static const struct diagnostic diagnostics[] = {
	{SEVERITY_WARNING, 5, 2, "unused variable 'x'", "-Wunused-variable",
		"\tint x;", 7},
	{SEVERITY_ERROR, 5, 9, "expected ';' before '}' token", NULL,
		"\tsum += Q[i][d]", 15},
	{SEVERITY_NOTE, 3, 6, "declared here", NULL, "void solve()", 12},
	{SEVERITY_ERROR, 0, 0, "no function named solve; there is Solve", NULL,
		NULL, 0},
	{SEVERITY_NOTE, 0, 0, "expected: void solve(size_t Tq)", NULL, NULL, 0},
};

/* Failing in both public groups with a number that is wrong. */
static void init_wrong_twice(struct sample *sample)
{
	sample_init(sample);
	sample_fail_with(sample, 1, 6.697615493, 7.310585786)
		->mismatch.wrong_digit = 1;
	sample_fail_with(sample, 2, 1.5, -0.25)->mismatch.wrong_digit = 2;
	sample->options.style.fold = true;
}

START_TEST(on_a_narrow_screen_one_failure_of_a_kind_is_shown)
{
	struct sample sample;

	init_wrong_twice(&sample);
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  1/2    ✗ example-2\n"
		"      output[2][1]: expected 6.697615, got 7.310586 (wrong "
		"from the "
		"1st digit)\n"
		"  scores above 1000      1/2    ✗ above-1\n"
		"  not shown (hidden)     1/1    ✓\n"
		"  … --verbose says why of each\n"
		"\n"
		"  7 of 10 points · not passed\n"
		"\n"
		"  → grader hint attention 1\n");
	sample.options.style.width = 120;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"above-1    output[2][1]: expected 1.5, got -0.25"));
	ck_assert_ptr_null(strstr(report(&sample), "says why"));
}
END_TEST

START_TEST(on_a_narrow_screen_a_failure_of_another_kind_is_shown_too)
{
	struct sample sample;

	init_wrong_twice(&sample);
	sample.cases[2].mismatch.got = NAN;
	sample.cases[2].mismatch.wrong_digit = 0;
	sample.options.style.width = 59;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"✗ above-1\n      output[2][1] is NaN, expected 1.5\n"));
	ck_assert_ptr_null(strstr(report(&sample), "says why"));
	sample.cases[2].mismatch.got = 2;
	sample.cases[2].line = 5;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"✗ above-1\n"
		"      output[2][1]: expected 1.5, got 2, at solve.c:5\n"));
}
END_TEST

START_TEST(on_a_narrow_screen_verbose_says_why_of_each)
{
	struct sample sample;

	init_wrong_twice(&sample);
	sample.options.verbose = true;
	sample.options.style.width = 59;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"    ✗ above-1\n"
		"        output[2][1]: expected 1.5, got -0.25 (wrong from\n"
		"        the 2nd digit); 2 of 15 numbers are wrong\n"));
}
END_TEST

START_TEST(errors_of_the_compiler_are_shown_with_their_line)
{
	struct sample sample;

	sample_init(&sample);
	for (size_t i = 0; i < SAMPLE_CASES; i++)
		sample_fail(&sample, i, VERDICT_NOT_RUN);
	sample.grade.verdict = VERDICT_COMPILE_ERROR;
	sample.grade.compiled = false;
	sample.grade.diagnostics = diagnostics;
	sample.grade.n_diagnostics = COUNT(diagnostics);
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  does not compile\n"
		"\n"
		"  solve.c:5:9: error: expected ';' before '}' token\n"
		"       5 |         sum += Q[i][d]\n"
		"         |                ^\n"
		"  solve.c: error: no function named solve; there is Solve\n"
		"  solve.c: note: expected: void solve(size_t Tq)\n"
		"\n"
		"  0 of 10 points · not passed\n");
}
END_TEST

START_TEST(warnings_are_shown_when_a_case_fails)
{
	struct sample sample;

	sample_init(&sample);
	sample.grade.diagnostics = diagnostics;
	sample.grade.n_diagnostics = 1;
	ck_assert_ptr_null(strstr(report(&sample), "warning"));
	sample_fail_with(&sample, 0, 1, 2);
	check_report(&sample,
		"attention · solve.c      seed 20261129 · gcc 12.2.0 -O1, musl "
		"1.2.3 · all layers\n"
		"\n"
		"  the lesson's examples  1/2    ✗ example-1  output[2][1]: "
		"expected 1, got 2\n"
		"  scores above 1000      2/2    ✓\n"
		"  not shown (hidden)     1/1    ✓\n"
		"\n"
		"  9 of 10 points · not passed\n"
		"\n"
		"  solve.c:5:2: warning: unused variable 'x' "
		"[-Wunused-variable]\n"
		"       5 |         int x;\n"
		"         |         ^\n"
		"\n"
		"  → grader hint attention 1\n");
}
END_TEST

START_TEST(an_explanation_is_a_paragraph_for_each_of_its_lines)
{
	struct sample sample;

	init_failing(&sample);
	sample.grade.explanation = "You divide by 8.\nThe root of 3 is 1.732, "
				   "not 8, and so all of the scores go wrong.";
	sample.options.style.fold = true;
	sample.options.style.width = 59;
	ck_assert_ptr_nonnull(strstr(report(&sample),
		"not passed\n\n"
		"  You divide by 8.\n"
		"  The root of 3 is 1.732, not 8, and so all of the scores\n"
		"  go wrong.\n"));
}
END_TEST

Suite *report_text_suite(void)
{
	Suite *suite = suite_create("report_text");
	TCase *tcase = tcase_create("text");

	tcase_add_test(tcase, a_grade_that_passed_is_a_few_lines);
	tcase_add_test(tcase, the_first_failing_case_of_each_group_is_shown);
	tcase_add_test(tcase, verbose_shows_every_case);
	tcase_add_test(tcase, in_ascii_nothing_else_is_written);
	tcase_add_test(tcase, colours_are_set_and_reset);
	tcase_add_test(tcase, layers_that_are_missing_are_named);
	tcase_add_test(tcase, titles_line_up_and_the_longest_are_cut);
	tcase_add_test(tcase, some_cases_have_no_score);
	tcase_add_test(tcase, a_failure_of_the_grader_is_no_result);
	tcase_add_test(tcase, bytes_of_the_submission_are_escaped);
	tcase_add_test(tcase, the_hint_that_fits_comes_first);
	tcase_add_test(tcase, a_brief_report_says_the_most_useful_first);
	tcase_add_test(tcase, a_brief_report_has_no_more_lines_than_it_may);
	tcase_add_test(tcase, failing_cases_are_listed_a_line_each);
	tcase_add_test(tcase, the_next_hint_is_the_one_not_yet_opened);
	tcase_add_test(tcase, a_long_report_fits_on_a_screen);
	tcase_add_test(
		tcase, on_a_narrow_screen_one_failure_of_a_kind_is_shown);
	tcase_add_test(tcase,
		on_a_narrow_screen_a_failure_of_another_kind_is_shown_too);
	tcase_add_test(tcase, on_a_narrow_screen_verbose_says_why_of_each);
	tcase_add_test(tcase, errors_of_the_compiler_are_shown_with_their_line);
	tcase_add_test(
		tcase, an_explanation_is_a_paragraph_for_each_of_its_lines);
	tcase_add_test(tcase, warnings_are_shown_when_a_case_fails);
	suite_add_tcase(suite, tcase);
	return suite;
}
