/* SPDX-License-Identifier: MIT */
#include "grader/engine/run.h"
#include "grader/engine/verdict.h"
#include "tests/suites.h"

static const struct {
	const char *rule;
	enum call_state state;
	enum run_end end;
	uint64_t memory_refused;
	bool matches;
	enum verdict verdict;
} rows[] = {
	{"equal outputs pass", CALL_RETURNED, RUN_FINISHED, 0, true,
		VERDICT_PASS},
	{"others do not", CALL_RETURNED, RUN_FINISHED, 0, false,
		VERDICT_WRONG_ANSWER},
	{"what was not run is no failure of its own", CALL_NOT_RUN,
		RUN_FINISHED, 0, true, VERDICT_NOT_RUN},
	{"leaving by the runner's door early", CALL_ENDED, RUN_FINISHED, 0,
		true, VERDICT_RUNTIME_ERROR},
	{"exit() within a call", CALL_ENDED, RUN_EXITED, 0, true,
		VERDICT_RUNTIME_ERROR},
	{"a signal", CALL_ENDED, RUN_SIGNALED, 0, true, VERDICT_RUNTIME_ERROR},
	{"abort()", CALL_ENDED, RUN_ABORTED, 0, true, VERDICT_RUNTIME_ERROR},
	{"a crash on memory that was refused", CALL_ENDED, RUN_SIGNALED, 1,
		true, VERDICT_MEMORY_LIMIT},
	{"abort() on memory that was refused", CALL_ENDED, RUN_ABORTED, 1, true,
		VERDICT_MEMORY_LIMIT},
	{"exit() after memory was refused stays an exit", CALL_ENDED,
		RUN_EXITED, 1, true, VERDICT_RUNTIME_ERROR},
	{"a refused call", CALL_ENDED, RUN_VIOLATION, 0, true,
		VERDICT_SECURITY_VIOLATION},
	{"a refused call outranks refused memory", CALL_ENDED, RUN_VIOLATION, 1,
		true, VERDICT_SECURITY_VIOLATION},
	{"one call too slow", CALL_ENDED, RUN_CPU_CALL, 0, true,
		VERDICT_TIME_LIMIT},
	{"all too slow", CALL_ENDED, RUN_CPU_TOTAL, 0, true,
		VERDICT_TIME_LIMIT},
	{"too much text", CALL_ENDED, RUN_TEXT_LIMIT, 0, true,
		VERDICT_OUTPUT_LIMIT},
	{"killed for its memory", CALL_ENDED, RUN_MEMORY, 0, true,
		VERDICT_MEMORY_LIMIT},
	{"killed by nobody is our fault", CALL_ENDED, RUN_KILLED, 0, true,
		VERDICT_GRADER_ERROR},
	{"starved is our fault", CALL_ENDED, RUN_STARVED, 0, true,
		VERDICT_GRADER_ERROR},
};

START_TEST(every_ending_has_its_verdict)
{
	const struct call_result result = {
		.state = rows[_i].state,
		.ended = {.end = rows[_i].end,
			.memory_refused = rows[_i].memory_refused},
	};
	enum verdict verdict = verdict_of_call(&result, rows[_i].matches);

	ck_assert_msg(verdict == rows[_i].verdict, "%s: %s", rows[_i].rule,
		verdict_name(verdict));
}
END_TEST

START_TEST(the_worst_of_several_counts_wherever_it_stands)
{
	for (int worst = VERDICT_GRADER_ERROR; worst <= VERDICT_PASS; worst++) {
		for (size_t at = 0; at < 3; at++) {
			enum verdict all[] = {
				VERDICT_PASS, VERDICT_PASS, VERDICT_PASS};

			all[at] = (enum verdict)worst;
			ck_assert_int_eq(verdict_of_all(all, 3), worst);
		}
	}
}
END_TEST

START_TEST(no_case_at_all_is_our_failure)
{
	ck_assert_int_eq(verdict_of_all(NULL, 0), VERDICT_GRADER_ERROR);
}
END_TEST

START_TEST(the_order_is_the_documented_one)
{
	static const char *const order[] = {"GRADER_ERROR", "COMPILE_ERROR",
		"SECURITY_VIOLATION", "TIME_LIMIT", "MEMORY_LIMIT",
		"OUTPUT_LIMIT", "RUNTIME_ERROR", "WRONG_ANSWER", "NOT_RUN",
		"PASS"};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		ck_assert_str_eq(verdict_name((enum verdict)i), order[i]);
}
END_TEST

Suite *verdict_suite(void)
{
	Suite *suite = suite_create("verdict");
	TCase *tcase = tcase_create("rules");

	tcase_add_loop_test(tcase, every_ending_has_its_verdict, 0,
		sizeof(rows) / sizeof(*rows));
	tcase_add_test(tcase, the_worst_of_several_counts_wherever_it_stands);
	tcase_add_test(tcase, no_case_at_all_is_our_failure);
	tcase_add_test(tcase, the_order_is_the_documented_one);
	suite_add_tcase(suite, tcase);
	return suite;
}
