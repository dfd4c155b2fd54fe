/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <signal.h>
#include <string.h>

static struct arena *arena;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
}

/* A case about which everything that there is to tell is told. */
static struct case_grade telling_case(bool hidden)
{
	static const struct function function = {.name = "f"};
	static const struct test_case test_case = {.name = "c"};

	return (struct case_grade){
		.name = "c",
		.group = 1,
		.hidden = hidden,
		.details = true,
		.verdict = VERDICT_RUNTIME_ERROR,
		.points = 2,
		.max_points = 3,
		.function = &function,
		.test_case = &test_case,
		.cpu_us = 77,
		.mismatch = {.found = true,
			.element = 5,
			.expected = 1.5,
			.got = 2.5},
		.origin = ORIGIN_FROM_STACK,
		.origin_parameter = 4,
		.elements = (const unsigned char *)"\1\2",
		.repeats_differ = true,
		.in_call = true,
		.ended = {.end = RUN_EXITED,
			.exit_code = 42,
			.signal = SIGSEGV,
			.crash_address = 99,
			.memory_peak_kib = 8},
		.access = {.known = true, .element = 15},
		.stack_overflow = true,
		.frame_overwritten = true,
		.line = 23,
		.text = "Q[0] = 0.5",
		.text_len = 10,
		.text_cut = true,
	};
}

static struct grade grade_of(const struct case_grade *cases, size_t count)
{
	return (struct grade){.audience = AUDIENCE_STAFF,
		.cases = cases,
		.n_cases = count,
		.memory_peak_kib = 1234};
}

START_TEST(of_a_hidden_case_a_learner_sees_verdict_and_points_alone)
{
	const struct case_grade whole = telling_case(true);
	const struct grade grade = grade_of(&whole, 1);
	struct case_grade expected = {
		.name = whole.name,
		.group = 1,
		.hidden = true,
		.verdict = VERDICT_RUNTIME_ERROR,
		.points = 2,
		.max_points = 3,
		.function = whole.function,
		.text = "",
	};
	struct grade seen;
	struct case_grade got;
	struct error err = {0};

	ck_assert(grade_for(AUDIENCE_LEARNER, &grade, arena, &seen, &err));
	ck_assert_int_eq(seen.audience, AUDIENCE_LEARNER);
	ck_assert_uint_eq(seen.memory_peak_kib, 0);
	ck_assert_uint_eq(seen.n_cases, 1);
	got = seen.cases[0];
	ck_assert_str_eq(got.text, "");
	expected.text = got.text;
	/* Nothing else is left: every other byte is zero. */
	ck_assert_mem_eq(&got, &expected, sizeof(got));
}
END_TEST

START_TEST(of_a_public_case_a_learner_sees_all)
{
	const struct case_grade whole = telling_case(false);
	const struct grade grade = grade_of(&whole, 1);
	struct grade seen;
	struct error err = {0};

	ck_assert(grade_for(AUDIENCE_LEARNER, &grade, arena, &seen, &err));
	ck_assert_mem_eq(&seen.cases[0], &whole, sizeof(whole));
	ck_assert_uint_eq(seen.memory_peak_kib, 1234);
}
END_TEST

START_TEST(staff_see_all_of_all_cases)
{
	const struct case_grade cases[] = {
		telling_case(true), telling_case(false)};
	const struct grade grade = grade_of(cases, 2);
	struct grade seen;
	struct error err = {0};

	ck_assert(grade_for(AUDIENCE_STAFF, &grade, arena, &seen, &err));
	ck_assert_mem_eq(seen.cases, cases, sizeof(cases));
	ck_assert_uint_eq(seen.memory_peak_kib, 1234);
}
END_TEST

/* Counts its calls, which says which of them shared a process. */
static const char counting[] =
	"#include <stdio.h>\n"
	"void twice(size_t n, const double x[n], double y[n])\n"
	"{\n"
	"	static int calls;\n"
	"	printf(\"call %d\", ++calls);\n"
	"	for (size_t i = 0; i < n; i++)\n"
	"		y[i] = 2 * x[i];\n"
	"}\n";

START_TEST(a_hidden_group_has_a_process_of_its_own)
{
	static const char *const said[] = {
		"call 1", "call 2", "call 1", "call 2"};
	struct error err = {0};
	struct tools tools = {.cancel = -1};
	struct exercise exercise;
	struct grade_request request = {.exercise = &exercise,
		.file = "solve.c",
		.source = counting,
		.source_len = strlen(counting)};
	struct grade grade, learner;

	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	tools.sandbox = jail_create(tools.toolchain.reads);
	ck_assert_msg(
		exercise_load("tests/exercises/hidden", arena, &exercise, &err),
		"%s", err.message);
	ck_assert_msg(grade_submission(&request, &tools, arena, &grade, &err),
		"%s", err.message);
	ck_assert(grade_for(AUDIENCE_LEARNER, &grade, arena, &learner, &err));
	ck_assert(grade.passed);
	ck_assert_uint_eq(grade.n_cases, 4);
	for (size_t c = 0; c < grade.n_cases; c++) {
		ck_assert_str_eq(grade.cases[c].text, said[c]);
		ck_assert_str_eq(learner.cases[c].text,
			grade.cases[c].hidden ? "" : said[c]);
	}
	ck_assert(grade.cases[2].hidden && grade.cases[3].hidden);
	sandbox_destroy(tools.sandbox);
}
END_TEST

Suite *grade_suite(void)
{
	Suite *suite = suite_create("grade");
	TCase *tcase = tcase_create("audience");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase,
		of_a_hidden_case_a_learner_sees_verdict_and_points_alone);
	tcase_add_test(tcase, of_a_public_case_a_learner_sees_all);
	tcase_add_test(tcase, staff_see_all_of_all_cases);
	tcase_add_test(tcase, a_hidden_group_has_a_process_of_its_own);
	suite_add_tcase(suite, tcase);
	return suite;
}
