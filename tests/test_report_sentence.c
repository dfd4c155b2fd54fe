/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/sentence.h"
#include "tests/suites.h"
#include "tests/support/sample.h"

#include <linux/audit.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The sentence of the sample's first case, in a buffer that the next call
   overwrites. */
static const char *words(const struct sample *sample)
{
	static char buffer[512];
	struct text out = {0};

	sentence_put_case(&out, &sample->grade, &sample->cases[0]);
	ck_assert(!out.failed);
	snprintf(buffer, sizeof(buffer), "%s", out.data ? out.data : "");
	text_finish(&out);
	return buffer;
}

/* Wrong numbers: what was expected and got, and what is said. */
static const struct {
	double expected, got;
	int wrong_digit;
	bool lost_precision;
	const char *says;
} numbers[] = {
	{6.697615493266569, 7.310585786300049, 1, false,
		"output[2][1]: expected 6.697615, got 7.310586 (wrong from the "
		"1st digit)"},
	{10, 3.5, 1, false,
		"output[2][1]: expected 10, got 3.5 (wrong from the 1st "
		"digit)"},
	{1.2003412345, 1.2003498765, 6, false,
		"output[2][1]: expected 1.20034123, got 1.20034988 (wrong from "
		"the 6th digit)"},
	{6.697615493266569, 6.697615146636963, 7, true,
		"output[2][1]: expected 6.697615493, got 6.697615147 (wrong "
		"from the 7th digit): right method, lost precision"},
	{0.1, 0.10000000000000003, 16, false,
		"output[2][1]: expected 0.10000000000000001, got "
		"0.10000000000000003 (wrong from the 16th digit)"},
	{2.5, -2.5, 0, false,
		"output[2][1]: expected 2.5, got -2.5 (the sign is wrong)"},
	{0, 1e-5, 0, false, "output[2][1]: expected 0, got 1e-05"},
	{0.41823, NAN, 0, false, "output[2][1] is NaN, expected 0.41823"},
	{0.41823, INFINITY, 0, false,
		"output[2][1] is +infinity, expected 0.41823"},
	{0.41823, -INFINITY, 0, false,
		"output[2][1] is -infinity, expected 0.41823"},
};

START_TEST(a_wrong_number_is_said_with_the_digits_that_matter)
{
	struct sample sample;
	struct case_grade *graded;

	sample_init(&sample);
	graded = sample_fail_with(
		&sample, 0, numbers[_i].expected, numbers[_i].got);
	graded->mismatch.wrong_digit = numbers[_i].wrong_digit;
	graded->mismatch.lost_precision = numbers[_i].lost_precision;
	if (numbers[_i].lost_precision)
		sample.grade.precision.loss = PRECISION_UNKNOWN;
	ck_assert_str_eq(words(&sample), numbers[_i].says);
}
END_TEST

START_TEST(a_small_error_alone_is_no_lost_precision)
{
	struct sample sample;
	struct case_grade *graded;

	sample_init(&sample);
	graded = sample_fail_with(&sample, 0, 1, 1.0000001);
	graded->mismatch.lost_precision = true;
	ck_assert_ptr_null(strstr(words(&sample), "precision"));
}
END_TEST

/* Wrong values of types that are compared byte for byte. */
static const struct {
	enum value_type type;
	int64_t expected, got;
	const char *says;
} wholes[] = {
	{TYPE_BOOL, 0, 1, "output[2][1]: expected false, got true"},
	{TYPE_BOOL, 1, 7,
		"output[2][1]: expected true, got 7 (neither true nor false)"},
	{TYPE_INT, -3, 4, "output[2][1]: expected -3, got 4"},
	{TYPE_SIZE, 3, -1,
		"output[2][1]: expected 3, got 18446744073709551615"},
	{TYPE_CHAR, 'a', 'B', "output[2][1]: expected 'a', got 'B'"},
	{TYPE_CHAR, 'a', 27, "output[2][1]: expected 'a', got 27"},
};

START_TEST(a_wrong_value_is_said_as_c_spells_it)
{
	struct sample sample;
	struct mismatch *mismatch;

	sample_init(&sample);
	mismatch = &sample_fail_with(&sample, 0, 0, 0)->mismatch;
	mismatch->type = wholes[_i].type;
	mismatch->expected_number = wholes[_i].expected;
	mismatch->got_number = wholes[_i].got;
	ck_assert_str_eq(words(&sample), wholes[_i].says);
}
END_TEST

START_TEST(a_result_is_called_the_returned_value)
{
	struct sample sample;

	sample_init(&sample);
	sample_fail_with(&sample, 0, 2, 3)->mismatch.output = SAMPLE_PARAMETERS;
	ck_assert_str_eq(
		words(&sample), "the returned value: expected 2, got 3");
}
END_TEST

static const struct {
	enum element_origin origin;
	const char *says;
} origins[] = {
	{ORIGIN_UNTOUCHED, "output[2][1] was never written"},
	{ORIGIN_FROM_OUTPUT, "output[2][1] was added to before it was set"},
	{ORIGIN_FROM_STACK,
		"output[2][1]: its sum starts from an uninitialised variable"},
	{ORIGIN_FROM_HEAP,
		"output[2][1] uses memory from malloc that was never set"},
	{ORIGIN_FROM_BEFORE,
		"output[2][1] was computed from memory in front of Q[0]"},
};

START_TEST(a_value_that_was_never_set_is_told_from_a_wrong_one)
{
	struct sample sample;
	struct case_grade *graded;

	sample_init(&sample);
	graded = sample_fail_with(&sample, 0, 1, NAN);
	graded->origin = origins[_i].origin;
	graded->origin_parameter = SAMPLE_Q;
	ck_assert_str_eq(words(&sample), origins[_i].says);
}
END_TEST

START_TEST(a_second_call_that_differs_is_said)
{
	struct sample sample;

	sample_init(&sample);
	sample_fail_with(&sample, 0, 1, 2)->repeats_differ = true;
	ck_assert_str_eq(words(&sample),
		"output[2][1] changes when called again: something is "
		"kept between calls or added to the output");
}
END_TEST

/* How a process ended, one row for each way. */
static const struct {
	const char *says;
	struct run_result ended;
	struct access access;
	enum verdict verdict;
	bool outside; /* of the call */
	bool stack_overflow;
	bool frame_overwritten;
} ends[] = {
	{"called exit(0) in this case", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_EXITED}},
	{"called exit(1) in this case after it was refused 1 GiB of memory "
	 "(the limit is 64 MiB)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_EXITED,
			.exit_code = 1,
			.memory_refused = 1 << 30}},
	{"called exit(1) in this case", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_EXITED,
			.exit_code = 1,
			.memory_refused = 64 << 20}},
	{"called exit(3), outside solve()", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_EXITED, .exit_code = 3}, .outside = true},
	{"called abort() (assert() and free() do that, too)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_ABORTED}},
	{"ended before it returned", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_FINISHED}},
	{"divided by zero, or the lowest int by -1 (whole numbers, / or %)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGFPE,
			.crash_code = FPE_INTDIV}},
	{"divided by zero, or the lowest int by -1 (whole numbers, / or %)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGFPE}},
	{"wrote through a NULL pointer (mask is NULL in this case)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_MAPERR,
			.crash_pc = 0x401000,
			.crash_write = true}},
	{"read through a NULL pointer (mask is NULL in this case)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_MAPERR,
			.crash_pc = 0x401000,
			.crash_address = 24}},
	{"called a function through a NULL pointer",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_MAPERR}},
	{"jumped to where there is no code", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_MAPERR,
			.crash_pc = 0x700000000,
			.crash_address = 0x700000000}},
	{"used a pointer to nowhere, freed what malloc did not give, or wrote "
	 "beside an array or a malloc'ed block",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SI_KERNEL,
			.crash_pc = 0x401000}},
	{"wrote to memory that is read-only (a string or a constant?)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_ACCERR,
			.crash_pc = 0x401000,
			.crash_address = 0x402000,
			.crash_write = true}},
	{"read memory that is not its own (a pointer never set or "
	 "already freed, or an index far out of range?)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SEGV_MAPERR,
			.crash_pc = 0x401000,
			.crash_address = 0x70000000}},
	{"used memory that is not its own", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV}},
	{"used an address where no memory can be",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGBUS}},
	{"reached code that must not be reached (a wrong index or pointer that "
	 "the compiler saw, __builtin_trap(), or a jump through a wrong "
	 "pointer)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGILL}},
	{"called abort() (assert() and free() do that, too)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGABRT}},
	{"stopped as if by a debugger", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGTRAP}},
	{"was ended by signal 12 (SIGUSR2)", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGUSR2}},
	{"was ended by signal 40", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = 40}},
	{"read Q[15]: Q has 15 elements (5 rows of 3)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV},
		.access = {.known = true,
			.parameter = SAMPLE_Q,
			.element = 15}},
	{"wrote output[16]: output has 15 elements (5 rows of 3)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV},
		.access = {.known = true,
			.write = true,
			.parameter = SAMPLE_OUTPUT,
			.element = 16}},
	{"read Q[-1]: Q starts at Q[0]", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV},
		.access = {.known = true,
			.parameter = SAMPLE_Q,
			.element = -1}},
	{"wrote Q[10]: Q is an input", .verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV},
		.access = {.known = true,
			.write = true,
			.to_input = true,
			.parameter = SAMPLE_Q,
			.element = 10}},
	{"wrote past the end of a local array",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.crash_known = true,
			.crash_signal = SIGSEGV,
			.crash_code = SI_KERNEL,
			.crash_pc = 0x401000},
		.frame_overwritten = true},
	{"used more than its stack of 8 MiB (endless recursion?)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.signal = SIGSEGV,
			.frames = {0x401000, 0x401020, 0x401000},
			.n_frames = 3},
		.stack_overflow = true},
	{"used more than its stack of 8 MiB (a large local array, or endless "
	 "recursion?)",
		.verdict = VERDICT_RUNTIME_ERROR,
		.ended = {.end = RUN_SIGNALED,
			.signal = SIGSEGV,
			.frames = {0x401000, 0x401020, 0x401000},
			.n_frames = 2},
		.stack_overflow = true},
	{"used more than its stack of 8 MiB (a large local array, or endless "
	 "recursion?)",
		.verdict = VERDICT_MEMORY_LIMIT,
		.ended = {.end = RUN_SIGNALED, .signal = SIGSEGV},
		.stack_overflow = true},
	{"called socket(), which is not allowed",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION,
			.violation = {.name = "socket",
				.number = 41,
				.architecture = AUDIT_ARCH_X86_64}}},
	{"called nanosleep(), which is not allowed (sleep() and usleep() "
	 "call it)",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION,
			.violation = {.name = "nanosleep"}}},
	{"called fork(), which is not allowed, outside solve()",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION, .violation = {.name = "fork"}},
		.outside = true},
	{"made system call 471, which is not allowed",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION,
			.violation = {.number = 471,
				.architecture = AUDIT_ARCH_X86_64}}},
	{"made the 32-bit system call 11, which is not allowed",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION,
			.violation = {.number = 11,
				.architecture = AUDIT_ARCH_I386}}},
	{"made a system call that is not allowed (this machine does not tell "
	 "which)",
		.verdict = VERDICT_SECURITY_VIOLATION,
		.ended = {.end = RUN_VIOLATION}},
	{"ran longer than 1 s in this case (an endless loop?)",
		.verdict = VERDICT_TIME_LIMIT, .ended = {.end = RUN_CPU_CALL}},
	{"ran longer than 1 s, outside solve()", .verdict = VERDICT_TIME_LIMIT,
		.ended = {.end = RUN_CPU_CALL}, .outside = true},
	{"all cases together ran longer than 10 s",
		.verdict = VERDICT_TIME_LIMIT, .ended = {.end = RUN_CPU_TOTAL}},
	{"asked for 1 GiB of memory, the limit is 64 MiB",
		.verdict = VERDICT_MEMORY_LIMIT,
		.ended = {.end = RUN_SIGNALED,
			.memory_refused = (1 << 30) + 4096}},
	{"used up its memory: it asked for 20 MiB more, the limit is 64 MiB",
		.verdict = VERDICT_MEMORY_LIMIT,
		.ended = {.end = RUN_SIGNALED, .memory_refused = 20 << 20}},
	{"used more memory than its limit of 64 MiB",
		.verdict = VERDICT_MEMORY_LIMIT,
		.ended = {.end = RUN_SIGNALED, .memory_refused = 28 << 10}},
	{"used more memory than its limit of 64 MiB",
		.verdict = VERDICT_MEMORY_LIMIT, .ended = {.end = RUN_MEMORY}},
	{"printed more than 16 MiB", .verdict = VERDICT_OUTPUT_LIMIT,
		.ended = {.end = RUN_TEXT_LIMIT}},
	{"not run: the cases before it used up all of the 10 s that there are",
		.verdict = VERDICT_NOT_RUN, .ended = {.end = RUN_FINISHED}},
	{"the grader failed here, not your program: somebody else killed the "
	 "process; please grade again",
		.verdict = VERDICT_GRADER_ERROR, .ended = {.end = RUN_KILLED}},
	{"the grader failed here, not your program: this machine was too busy "
	 "to run it; please grade again",
		.verdict = VERDICT_GRADER_ERROR, .ended = {.end = RUN_STARVED}},
};

START_TEST(every_way_to_end_has_its_sentence)
{
	struct sample sample;
	struct case_grade *graded;

	sample_init(&sample);
	graded = sample_fail(&sample, 0, ends[_i].verdict);
	graded->ended = ends[_i].ended;
	graded->access = ends[_i].access;
	graded->in_call = !ends[_i].outside;
	graded->stack_overflow = ends[_i].stack_overflow;
	graded->frame_overwritten = ends[_i].frame_overwritten;
	ck_assert_str_eq(words(&sample), ends[_i].says);
}
END_TEST

START_TEST(a_case_of_what_does_not_compile_says_so)
{
	struct sample sample;

	sample_init(&sample);
	sample_fail(&sample, 0, VERDICT_NOT_RUN);
	sample.grade.compiled = false;
	ck_assert_str_eq(words(&sample), "not run, since it does not compile");
}
END_TEST

START_TEST(a_case_that_passed_says_nothing)
{
	struct sample sample;

	sample_init(&sample);
	ck_assert_str_eq(words(&sample), "");
}
END_TEST

/* Everything that could tell of a hidden case's inputs is in the facts; none
   of it may be in the words, whatever the verdict. */
START_TEST(a_hidden_case_tells_its_verdict_and_nothing_else)
{
	struct sample sample;
	struct case_grade *graded;

	sample_init(&sample);
	graded = sample_fail_with(&sample, 0, 41.5, 42.5);
	graded->hidden = true;
	graded->details = false;
	graded->verdict = (enum verdict)_i;
	graded->ended = (struct run_result){.end = RUN_SIGNALED,
		.signal = SIGSEGV,
		.exit_code = 43,
		.memory_refused = 44,
		.violation = {.name = "socket", .number = 45}};
	graded->access = (struct access){.known = true, .element = 46};
	for (int digit = '0'; digit <= '9'; digit++)
		ck_assert_ptr_null(strchr(words(&sample), digit));
	ck_assert_ptr_null(strstr(words(&sample), "socket"));
	ck_assert_ptr_null(strstr(words(&sample), "output"));
}
END_TEST

START_TEST(the_ordinals_of_english_are_known)
{
	static const char *const expected[] = {"0th", "1st", "2nd", "3rd",
		"4th", "10th", "11th", "12th", "13th", "21st", "22nd", "111th"};
	static const unsigned int ordinals[] = {
		0, 1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 111};

	for (size_t i = 0; i < COUNT(ordinals); i++) {
		struct text out = {0};

		sentence_put_ordinal(&out, ordinals[i]);
		ck_assert_str_eq(out.data, expected[i]);
		text_finish(&out);
	}
}
END_TEST

static const struct {
	uint64_t amount;
	const char *bytes;
	const char *ms;
} amounts[] = {
	{0, "0 bytes", "0 ms"},
	{250, "250 bytes", "250 ms"},
	{1000, "1000 bytes", "1 s"},
	{1024, "1 KiB", "1.02 s"},
	{1536, "1.5 KiB", "1.54 s"},
	{10000, "9.77 KiB", "10 s"},
	{UINT64_C(64) << 20, "64 MiB", NULL},
	{(UINT64_C(1) << 30) + 4096, "1 GiB", NULL},
	{UINT64_MAX, "16 EiB", NULL},
};

START_TEST(amounts_are_said_in_units_for_people)
{
	for (size_t i = 0; i < COUNT(amounts); i++) {
		struct text out = {0};

		sentence_put_bytes(&out, amounts[i].amount);
		ck_assert_str_eq(out.data, amounts[i].bytes);
		text_finish(&out);
		if (!amounts[i].ms)
			continue;
		sentence_put_ms(&out, amounts[i].amount);
		ck_assert_str_eq(out.data, amounts[i].ms);
		text_finish(&out);
	}
}
END_TEST

Suite *report_sentence_suite(void)
{
	Suite *suite = suite_create("report_sentence");
	TCase *tcase = tcase_create("sentence");

	tcase_add_loop_test(tcase,
		a_wrong_number_is_said_with_the_digits_that_matter, 0,
		COUNT(numbers));
	tcase_add_test(tcase, a_small_error_alone_is_no_lost_precision);
	tcase_add_loop_test(
		tcase, a_wrong_value_is_said_as_c_spells_it, 0, COUNT(wholes));
	tcase_add_test(tcase, a_result_is_called_the_returned_value);
	tcase_add_loop_test(tcase,
		a_value_that_was_never_set_is_told_from_a_wrong_one, 0,
		COUNT(origins));
	tcase_add_test(tcase, a_second_call_that_differs_is_said);
	tcase_add_loop_test(
		tcase, every_way_to_end_has_its_sentence, 0, COUNT(ends));
	tcase_add_test(tcase, a_case_of_what_does_not_compile_says_so);
	tcase_add_test(tcase, a_case_that_passed_says_nothing);
	tcase_add_loop_test(tcase,
		a_hidden_case_tells_its_verdict_and_nothing_else, 0,
		VERDICT_PASS + 1);
	tcase_add_test(tcase, the_ordinals_of_english_are_known);
	tcase_add_test(tcase, amounts_are_said_in_units_for_people);
	suite_add_tcase(suite, tcase);
	return suite;
}
