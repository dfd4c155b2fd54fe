/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/fill.h"
#include "grader/engine/run.h"
#include "grader/engine/tools.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* double solve(const double *x, size_t n, double *y), as jail.h says. */
static const struct parameter parameters[] = {
	{.name = "x", .type = TYPE_DOUBLE, .is_array = true},
	{.name = "n", .type = TYPE_SIZE},
	{.name = "y", .type = TYPE_DOUBLE, .is_array = true, .output = true},
};
static const struct function function = {
	.name = "solve",
	.parameters = parameters,
	.n_parameters = 3,
	.returns = true,
	.return_type = TYPE_DOUBLE,
};
static const struct exercise_limits limits = {
	.cpu_case_ms = 100,
	.cpu_total_ms = 1000,
	.memory_bytes = 64 << 20,
	.stack_bytes = 1 << 20,
	.output_bytes = 1 << 20,
};

enum { CALLS = 6 };

static struct arena *arena;
static struct tools tools;
static struct program program;
static double inputs[CALLS][4];
static struct value arguments[CALLS][3];
static struct call calls[CALLS];
static struct run_outcome outcome;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	tools = (struct tools){.cancel = -1};
	tools.sandbox = jail_create(NULL);
	for (size_t c = 0; c < CALLS; c++) {
		for (size_t i = 0; i < 4; i++)
			inputs[c][i] = (double)(10 * c + i);
		arguments[c][0] = (struct value){.data = inputs[c],
			.count = 4,
			.shape = {4},
			.n_axes = 1};
		arguments[c][1] = (struct value){.number = 4};
		arguments[c][2] =
			(struct value){.count = 4, .shape = {4}, .n_axes = 1};
		calls[c] = (struct call){.function = &function,
			.arguments = arguments[c],
			.repeat = 1};
	}
}

static void tear_down(void)
{
	if (program.fd >= 0)
		close(program.fd);
	sandbox_destroy(tools.sandbox);
	arena_destroy(arena);
}

static void run(const char *source)
{
	const struct jail_program built = jail_build(source);
	struct error err = {0};

	program = (struct program){
		.fd = built.fd, .runner_exit = built.runner_exit};
	ck_assert_msg(
		run_calls(&tools,
			&(struct run_job){&program, &limits, calls, CALLS},
			arena, &outcome, &err),
		"%s", err.message);
}

#define SOLVE(body)                                                            \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"       \
	"#include <unistd.h>\n"                                                \
	"double solve(const double *x, size_t n, double *y)\n{\n" body "\n}\n"
#define DOUBLES "for (size_t i = 0; i < n; i++) y[i] = 2 * x[i]; return x[0];"

static void check_doubled(size_t c)
{
	const struct call_result *result = &outcome.results[c];
	const double *y;

	ck_assert_int_eq(result->state, CALL_RETURNED);
	y = result->outputs[2].data;
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq(y[i], 2 * inputs[c][i]);
	ck_assert_double_eq(*(double *)result->outputs[3].data, inputs[c][0]);
	ck_assert_ptr_null(result->outputs[0].data);
	ck_assert_ptr_null(result->outputs[1].data);
}

START_TEST(outputs_and_results_of_all_calls_come_back)
{
	run(SOLVE(DOUBLES));
	for (size_t c = 0; c < CALLS; c++)
		check_doubled(c);
	ck_assert_uint_eq(outcome.n_processes, 1);
}
END_TEST

START_TEST(after_a_crash_the_next_call_has_a_fresh_process)
{
	run(SOLVE("static int calls; calls++;"
		  "if (x[0] == 20 || x[0] == 30) *(volatile int *)8 = 1;"
		  "if (calls > 2) abort();" DOUBLES));
	for (size_t c = 0; c < CALLS; c++) {
		if (c != 2 && c != 3)
			check_doubled(c);
		else
			ck_assert_int_eq(outcome.results[c].state, CALL_ENDED);
	}
	ck_assert_int_eq(outcome.results[2].ended.end, RUN_SIGNALED);
	ck_assert_int_eq(outcome.results[2].ended.signal, SIGSEGV);
	ck_assert_uint_eq(outcome.n_processes, 3);
}
END_TEST

START_TEST(batches_share_no_process)
{
	for (size_t c = 3; c < CALLS; c++)
		calls[c].batch = (uint32_t)c;
	run(SOLVE("static int calls; y[0] = y[1] = y[2] = y[3] = ++calls;"
		  "return 0;"));
	ck_assert_uint_eq(outcome.n_processes, 4);
	for (size_t c = 0; c < CALLS; c++) {
		const double *y = outcome.results[c].outputs[2].data;

		ck_assert_double_eq(y[0], c < 3 ? (double)c + 1 : 1);
	}
}
END_TEST

START_TEST(a_repeat_sees_the_outputs_of_the_call_before)
{
	calls[1].repeat = 3;
	run(SOLVE("for (size_t i = 0; i < n; i++) y[i] += 1; return 0;"));
	/* What was never set is no number, and stays none. */
	ck_assert_uint_eq(outcome.results[0].n_others, 0);
	ck_assert_int_eq(
		fill_origin_of(outcome.nonce, TYPE_DOUBLE,
			outcome.results[1].outputs[2].data, &(size_t){0}),
		ORIGIN_FROM_OUTPUT);
	close(program.fd);
	run(SOLVE("static double sum; sum += x[0]; y[0] = y[1] = y[2] = y[3] ="
		  " sum; return 0;"));
	ck_assert_uint_eq(outcome.results[1].n_others, 2);
	ck_assert_uint_eq(outcome.results[2].n_others, 0);
	for (size_t r = 0; r < 2; r++)
		ck_assert_double_eq(
			*(double *)outcome.results[1].others[r][2].data,
			(double)(20 + 10 * r));
}
END_TEST

START_TEST(a_repeat_that_returns_something_else_differs)
{
	calls[1].repeat = 3;
	run(SOLVE("static int calls; calls++;"
		  "for (size_t i = 0; i < n; i++) y[i] = 2 * x[i];"
		  "return calls == 4 ? -1 : x[0];"));
	for (size_t c = 0; c < CALLS; c++)
		check_doubled(c);
	ck_assert_uint_eq(outcome.results[1].n_others, 1);
	ck_assert_double_eq(
		*(double *)outcome.results[1].others[0][3].data, -1);
}
END_TEST

START_TEST(a_crash_in_a_repeat_is_its_calls)
{
	calls[1].repeat = 3;
	run(SOLVE("static int again; if (x[0] == 10 && again++)"
		  " abort();" DOUBLES));
	ck_assert_int_eq(outcome.results[1].state, CALL_ENDED);
	ck_assert_int_eq(outcome.results[1].ended.end, RUN_ABORTED);
	for (size_t c = 2; c < CALLS; c++)
		check_doubled(c);
}
END_TEST

START_TEST(text_is_kept_by_call)
{
	run(SOLVE("printf(\"call %g\\n\", x[0]); if (x[0] == 30) abort();"
		  "if (x[0] == 40) for (int i = 0; i < 3000; i++) putchar('a'),"
		  " putchar('b');" DOUBLES));
	for (size_t c = 0; c < CALLS; c++) {
		const struct call_result *result = &outcome.results[c];
		char text[32];

		snprintf(text, sizeof(text), "call %zu\n", 10 * c);
		ck_assert_msg(strncmp(result->text, text, strlen(text)) == 0,
			"call %zu printed '%s'", c, result->text);
		ck_assert_uint_eq(
			result->text_len, c == 4 ? TEXT_SHOWN : strlen(text));
		ck_assert_int_eq(result->text_cut, c == 4);
	}
}
END_TEST

START_TEST(each_call_has_all_the_text_that_there_is)
{
	run(SOLVE("static char line[1 << 15]; memset(line, 'a', sizeof(line));"
		  "for (int i = 0; i < 12; i++)"
		  " fwrite(line, 1, sizeof(line), stdout);" DOUBLES));
	for (size_t c = 0; c < CALLS; c++)
		check_doubled(c);
	ck_assert_uint_gt(outcome.n_processes, 1);
}
END_TEST

START_TEST(each_call_has_all_the_memory_that_there_is)
{
	run(SOLVE("char *volatile kept = malloc(20 << 20);"
		  "if (!kept) abort(); *kept = 1;" DOUBLES));
	for (size_t c = 0; c < CALLS; c++)
		check_doubled(c);
	ck_assert_uint_gt(outcome.n_processes, 1);
}
END_TEST

/* What a call that had asked for too much did next, the first time. */
static const struct {
	const char *what;
	enum run_end end;
} next_deeds[] = {
	{"fork();", RUN_VIOLATION},
	{"for (;;) __asm__ volatile(\"\");", RUN_CPU_CALL},
};

START_TEST(what_a_call_did_after_asking_for_too_much_is_told)
{
	char source[512];

	snprintf(source, sizeof(source),
		SOLVE("static int calls;"
		      "if (calls++ == 2) {"
		      " void *volatile block = malloc(1L << 40);"
		      " if (!block) { %s } } " DOUBLES),
		next_deeds[_i].what);
	run(source);
	ck_assert_int_eq(outcome.results[2].state, CALL_ENDED);
	ck_assert_int_eq(outcome.results[2].ended.end, next_deeds[_i].end);
}
END_TEST

START_TEST(too_much_in_one_call_is_tried_once_more_at_most)
{
	run(SOLVE("if (x[0] == 30) for (;;) puts(\"and on and on\");" DOUBLES));
	for (size_t c = 0; c < CALLS; c++) {
		if (c != 3)
			check_doubled(c);
	}
	ck_assert_int_eq(outcome.results[3].ended.end, RUN_TEXT_LIMIT);
	ck_assert_uint_eq(outcome.n_processes, 3);
}
END_TEST

START_TEST(what_runs_out_of_time_leaves_the_rest_not_run)
{
	/* Eleven calls of 100 ms would be more than the second there is. */
	struct call many[2 * CALLS];
	struct error err = {0};
	const struct jail_program built = jail_build(SOLVE("for (;;);"));
	size_t ended = 0;

	program = (struct program){
		.fd = built.fd, .runner_exit = built.runner_exit};
	for (size_t c = 0; c < 2 * CALLS; c++)
		many[c] = calls[c % CALLS];
	ck_assert(run_calls(&tools,
		&(struct run_job){&program, &limits, many, 2 * CALLS}, arena,
		&outcome, &err));
	for (size_t c = 0; c < 2 * CALLS; c++) {
		const struct call_result *result = &outcome.results[c];

		if (result->state == CALL_ENDED) {
			ck_assert_uint_eq(ended, c);
			ended++;
			ck_assert(result->ended.end == RUN_CPU_CALL ||
				result->ended.end == RUN_CPU_TOTAL);
		} else {
			ck_assert_int_eq(result->state, CALL_NOT_RUN);
		}
	}
	ck_assert_uint_ge(ended, 5);
	ck_assert_uint_le(ended, 11);
}
END_TEST

START_TEST(time_that_others_used_up_is_no_call_s_own_fault)
{
	/* Each call ends by abort() after 300 ms; the fourth has 100 ms. */
	struct exercise_limits longer = limits;
	const struct jail_program built = jail_build(
		"#include <time.h>\n" SOLVE("while (clock() < 300000) ;"
					    "abort();"));
	struct error err = {0};

	longer.cpu_case_ms = 1000;
	program = (struct program){
		.fd = built.fd, .runner_exit = built.runner_exit};
	ck_assert(run_calls(&tools,
		&(struct run_job){&program, &longer, calls, CALLS}, arena,
		&outcome, &err));
	for (size_t c = 0; c < CALLS; c++) {
		const struct call_result *result = &outcome.results[c];

		if (c < 3)
			ck_assert_int_eq(result->ended.end, RUN_ABORTED);
		else
			ck_assert_int_eq(result->state, CALL_NOT_RUN);
	}
}
END_TEST

START_TEST(time_that_good_calls_used_up_is_the_next_call_s_limit)
{
	/* The second batch has no time left. */
	struct exercise_limits longer = limits;
	const struct jail_program built =
		jail_build("#include <time.h>\n" SOLVE(
			"clock_t start = clock();"
			"while (clock() - start < 200000) ;" DOUBLES));
	struct error err = {0};

	longer.cpu_case_ms = 2000;
	for (size_t c = 3; c < CALLS; c++)
		calls[c].batch = 1;
	program = (struct program){
		.fd = built.fd, .runner_exit = built.runner_exit};
	ck_assert(run_calls(&tools,
		&(struct run_job){&program, &longer, calls, CALLS}, arena,
		&outcome, &err));
	for (size_t c = 0; c < 4; c++)
		check_doubled(c);
	ck_assert_int_eq(outcome.results[4].state, CALL_ENDED);
	ck_assert_int_eq(outcome.results[4].ended.end, RUN_CPU_TOTAL);
	ck_assert_int_eq(outcome.results[5].state, CALL_NOT_RUN);
}
END_TEST

START_TEST(a_process_that_dies_before_the_first_call_is_started_once)
{
	run("#include <unistd.h>\n__attribute__((constructor))"
	    " static void first(void) { fork(); }\n" SOLVE(DOUBLES));
	ck_assert_uint_eq(outcome.n_processes, 1);
	for (size_t c = 0; c < CALLS; c++) {
		ck_assert_int_eq(outcome.results[c].state, CALL_ENDED);
		ck_assert_int_eq(outcome.results[c].ended.end, RUN_VIOLATION);
	}
}
END_TEST

START_TEST(a_read_past_an_array_tells_which_element)
{
	run(SOLVE("return x[0] == 20 ? x[n] : x[0] == 30 ? x[-200] : 0;"));
	ck_assert(outcome.results[2].access.known);
	ck_assert_uint_eq(outcome.results[2].access.parameter, 0);
	ck_assert_int_eq(outcome.results[2].access.element, 4);
	ck_assert(!outcome.results[2].access.write);
	/* Within the padding it reads what the filling left there. */
	ck_assert_int_eq(outcome.results[3].state, CALL_RETURNED);
}
END_TEST

START_TEST(a_write_to_an_input_tells_so)
{
	run(SOLVE("((double *)x)[2] = 1; return 0;"));
	ck_assert(outcome.results[0].access.known);
	ck_assert(outcome.results[0].access.to_input);
	ck_assert(outcome.results[0].access.write);
	ck_assert_int_eq(outcome.results[0].access.element, 2);
}
END_TEST

START_TEST(what_was_never_set_names_its_origin)
{
	static const enum element_origin origins[] = {ORIGIN_UNTOUCHED,
		ORIGIN_FROM_OUTPUT, ORIGIN_FROM_BEFORE, ORIGIN_COMPUTED};
	size_t parameter = 99;

	run(SOLVE("y[1] += 1; y[2] = x[-1] * 2; y[3] = 7; return 0;"));
	for (size_t i = 0; i < 4; i++) {
		const double *y = outcome.results[0].outputs[2].data;

		ck_assert_int_eq(fill_origin_of(outcome.nonce, TYPE_DOUBLE,
					 &y[i], &parameter),
			origins[i]);
	}
	ck_assert_uint_eq(parameter, 0);
}
END_TEST

START_TEST(forged_progress_gains_nothing)
{
	/* It claims to be done, with outputs that it never computed. */
	run("#include <stdint.h>\n#include <sys/mman.h>\n" SOLVE(
		"uint64_t *p = mmap(0, 4096, 3, MAP_SHARED, 4, 0);"
		"p[2] = 6; p[3] = 6; *(volatile int *)8 = 1; return 0;"));
	ck_assert_int_eq(outcome.results[CALLS - 1].state, CALL_ENDED);
	for (size_t c = 0; c + 1 < CALLS; c++) {
		const double *y = outcome.results[c].outputs[2].data;

		ck_assert_int_eq(fill_origin_of(outcome.nonce, TYPE_DOUBLE, y,
					 &(size_t){0}),
			ORIGIN_UNTOUCHED);
	}
}
END_TEST

/* What it says of calls done and of where its text ends: far too much. */
static const char *const forged_numbers[] = {
	"7", "1ull << 40", "1ull << 63", "~0ull", "~0ull - 3"};

START_TEST(forged_counts_are_cut_to_what_there_is)
{
	char source[1024];

	snprintf(source, sizeof(source),
		"#include <stdint.h>\n#include <sys/mman.h>\n" SOLVE(
			"uint64_t *p = mmap(0, 8192, 3, MAP_SHARED, 4, 0);"
			"puts(\"here\");"
			"if (x[0] < 50) { " DOUBLES " }"
			"for (int i = 0; i < 12; i++) p[512 + i] = %s;"
			"p[3] = %s; *(volatile int *)8 = 1; return 0;"),
		forged_numbers[_i], forged_numbers[_i]);
	run(source);
	for (size_t c = 0; c + 1 < CALLS; c++) {
		check_doubled(c);
		ck_assert_uint_le(outcome.results[c].text_len, CALLS * 5);
		ck_assert_uint_le(outcome.results[c].cpu_us, 1000000);
	}
	ck_assert_int_eq(outcome.results[CALLS - 1].state, CALL_ENDED);
	ck_assert_int_eq(outcome.results[CALLS - 1].ended.end, RUN_SIGNALED);
}
END_TEST

START_TEST(the_same_run_twice_is_the_same)
{
	double first[CALLS];

	/* Computes with whatever the stack holds. */
	run(SOLVE("double a[4]; __asm__ volatile(\"\" : : \"r\"(a) : "
		  "\"memory\"); for (int i = 0; i < 4; i++) y[i] = a[i];"
		  "return 0;"));
	for (size_t c = 0; c < CALLS; c++)
		memcpy(&first[c], outcome.results[c].outputs[2].data, 8);
	close(program.fd);
	run(SOLVE("double a[4]; __asm__ volatile(\"\" : : \"r\"(a) : "
		  "\"memory\"); for (int i = 0; i < 4; i++) y[i] = a[i];"
		  "return 0;"));
	for (size_t c = 0; c < CALLS; c++)
		ck_assert_mem_eq(
			&first[c], outcome.results[c].outputs[2].data, 8);
}
END_TEST

Suite *run_suite(void)
{
	Suite *suite = suite_create("run");
	TCase *tcase = tcase_create("calls");

	tcase_set_timeout(tcase, 30);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, outputs_and_results_of_all_calls_come_back);
	tcase_add_test(tcase, after_a_crash_the_next_call_has_a_fresh_process);
	tcase_add_test(tcase, batches_share_no_process);
	tcase_add_test(tcase, a_repeat_sees_the_outputs_of_the_call_before);
	tcase_add_test(tcase, a_repeat_that_returns_something_else_differs);
	tcase_add_test(tcase, a_crash_in_a_repeat_is_its_calls);
	tcase_add_test(tcase, text_is_kept_by_call);
	tcase_add_test(tcase, each_call_has_all_the_text_that_there_is);
	tcase_add_test(tcase, each_call_has_all_the_memory_that_there_is);
	tcase_add_loop_test(tcase,
		what_a_call_did_after_asking_for_too_much_is_told, 0,
		sizeof(next_deeds) / sizeof(*next_deeds));
	tcase_add_test(tcase, too_much_in_one_call_is_tried_once_more_at_most);
	tcase_add_test(tcase, what_runs_out_of_time_leaves_the_rest_not_run);
	tcase_add_test(tcase, time_that_others_used_up_is_no_call_s_own_fault);
	tcase_add_test(
		tcase, time_that_good_calls_used_up_is_the_next_call_s_limit);
	tcase_add_test(tcase,
		a_process_that_dies_before_the_first_call_is_started_once);
	tcase_add_test(tcase, a_read_past_an_array_tells_which_element);
	tcase_add_test(tcase, a_write_to_an_input_tells_so);
	tcase_add_test(tcase, what_was_never_set_names_its_origin);
	tcase_add_test(tcase, forged_progress_gains_nothing);
	tcase_add_loop_test(tcase, forged_counts_are_cut_to_what_there_is, 0,
		sizeof(forged_numbers) / sizeof(*forged_numbers));
	tcase_add_test(tcase, the_same_run_twice_is_the_same);
	suite_add_tcase(suite, tcase);
	return suite;
}
