/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/protocol.h"
#include "sandbox/runner/runner.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sandbox *sandbox;
static struct jail_program program;
static struct jail_plan plan;
static struct run_result result;

static void set_up(void)
{
	sandbox = jail_create(NULL);
}

static void tear_down(void)
{
	sandbox_destroy(sandbox);
	close(program.fd);
	jail_plan_drop(&plan);
}

static void run(void)
{
	const struct run_request request = jail_request(&program, &plan);
	struct error err = {0};

	ck_assert_msg(sandbox_run_program(sandbox, &request, &result, &err),
		"%s", err.message);
}

/* Around the lengths at which copying and filling change their ways. */
static const size_t sizes[] = {
	1, 7, 8, 9, 12, 95, 96, 97, 104, 4088, 4095, 4096, 4097, 100001};

START_TEST(arrays_of_any_size_arrive_whole)
{
	const size_t bytes = sizes[_i];
	char source[256];

	snprintf(source, sizeof(source),
		"#include <stddef.h>\ndouble solve(const double *x, size_t n,"
		" double *y) { for (size_t i = 0; i < %zu; i++) ((char *)y)[i]"
		" = ((const char *)x)[i] + 1; return n; }",
		bytes);
	program = jail_build(source);
	jail_plan_make_of(&plan, 3, bytes, false);
	run();
	ck_assert_int_eq(result.end, RUN_FINISHED);
	for (size_t c = 0; c < 3; c++) {
		const char *y = (const char *)jail_output(&plan, c);
		const size_t elements = bytes / 8;
		double returned;

		for (size_t i = 0; i < bytes; i++) {
			const size_t number = 10 * c + i / 8;
			const double x = (double)number;

			ck_assert_int_eq(
				y[i], (char)(((const char *)&x)[i % 8] + 1));
		}
		memcpy(&returned, y + (bytes + 7) / 8 * 8, sizeof(returned));
		ck_assert_double_eq(returned, (double)elements);
	}
}
END_TEST

START_TEST(an_output_that_was_not_touched_is_its_pattern_to_the_last_byte)
{
	const uint64_t pattern = FILL_DOUBLE(FILL_OUTPUT, 0xabad1dea);
	const size_t bytes = sizes[_i];

	program = jail_build("#include <stddef.h>\ndouble solve(const double"
			     " *x, size_t n, double *y) { return 0; }");
	jail_plan_make_of(&plan, 2, bytes, false);
	run();
	ck_assert_int_eq(result.end, RUN_FINISHED);
	for (size_t i = 0; i < bytes; i++)
		ck_assert_int_eq(((const char *)jail_output(&plan, 1))[i],
			((const char *)&pattern)[i % 8]);
}
END_TEST

START_TEST(a_repeat_finds_the_output_as_it_was_left)
{
	program = jail_build(
		"#include <stddef.h>\ndouble solve(const double *x, size_t n,"
		" double *y) { if (x[0] == 0) y[0] = 1; else y[0] += 2;"
		" ((double *)y)[1] = x[1]; return 0; }");
	jail_plan_make_of(&plan, 4, 16, true);
	run();
	ck_assert_int_eq(result.end, RUN_FINISHED);
	for (size_t c = 0; c < 4; c++) {
		ck_assert_double_eq(
			jail_output(&plan, c)[0], (double)(1 + 2 * c));
		ck_assert_double_eq(
			jail_output(&plan, c)[1], (double)(10 * c + 1));
	}
}
END_TEST

/* A plan with one field wrong, at an offset of its head. */
static void spoil_plan(size_t offset, uint32_t value)
{
	int spoilt = memfd_create("plan", MFD_CLOEXEC);
	char bytes[8192];
	ssize_t len = pread(plan.plan, bytes, sizeof(bytes), 0);

	ck_assert_int_gt(len, 0);
	memcpy(bytes + offset, &value, sizeof(value));
	ck_assert_int_eq(write(spoilt, bytes, (size_t)len), len);
	close(plan.plan);
	plan.plan = spoilt;
}

static const size_t spoilt_fields[] = {
	offsetof(struct plan, n_slots),
	offsetof(struct plan, n_calls),
	offsetof(struct plan, n_arguments),
};

START_TEST(a_plan_that_cannot_be_followed_is_refused)
{
	program = jail_build("#include <stddef.h>\ndouble solve(const double"
			     " *x, size_t n, double *y) { return 0; }");
	jail_plan_make(&plan, 2);
	spoil_plan(spoilt_fields[_i], 1);
	run();
	ck_assert_int_eq(result.end, RUN_EXITED);
	ck_assert_int_eq(result.exit_code, RUNNER_BAD_PLAN_CODE);
}
END_TEST

START_TEST(what_is_no_plan_is_an_error)
{
	struct error err = {0};
	struct run_request request;

	program = jail_build("#include <stddef.h>\ndouble solve(const double"
			     " *x, size_t n, double *y) { return 0; }");
	jail_plan_make(&plan, 2);
	spoil_plan(offsetof(struct plan, magic), 1);
	request = jail_request(&program, &plan);
	ck_assert(!sandbox_run_program(sandbox, &request, &result, &err));
	ck_assert_str_eq(err.message, "the plan is none");
}
END_TEST

Suite *runner_suite(void)
{
	const int n_sizes = sizeof(sizes) / sizeof(sizes[0]);
	Suite *suite = suite_create("runner");
	TCase *tcase = tcase_create("runner");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, arrays_of_any_size_arrive_whole, 0, n_sizes);
	tcase_add_loop_test(tcase,
		an_output_that_was_not_touched_is_its_pattern_to_the_last_byte,
		0, n_sizes);
	tcase_add_test(tcase, a_repeat_finds_the_output_as_it_was_left);
	tcase_add_loop_test(tcase, a_plan_that_cannot_be_followed_is_refused, 0,
		sizeof(spoilt_fields) / sizeof(spoilt_fields[0]));
	tcase_add_test(tcase, what_is_no_plan_is_an_error);
	suite_add_tcase(suite, tcase);
	return suite;
}
