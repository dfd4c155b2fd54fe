/* SPDX-License-Identifier: MIT */
#include "grader/report/sentence.h"

#include "base/text.h"

#include <inttypes.h>
#include <linux/audit.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A pointer this near to NULL was made from NULL: p->field, p[i]. */
#define NULL_NEAR 0x10000u

/* Of smaller requests for memory nobody knows how small they were. */
#define REFUSAL_KNOWN ((uint64_t)1 << 20)

/* Each says one thing about a case whose details may be shown. */
typedef void put_words(struct text *out, const struct grade *grade,
	const struct case_grade *graded);

/* Numbers --------------------------------------------------------------- */

void sentence_put_ordinal(struct text *out, unsigned int number)
{
	static const char *const endings[] = {"th", "st", "nd", "rd"};
	unsigned int last = number % 10;
	bool teen = number / 10 % 10 == 1;

	text_printf(
		out, "%u%s", number, endings[last <= 3 && !teen ? last : 0]);
}

void sentence_put_bytes(struct text *out, uint64_t bytes)
{
	static const char *const units[] = {
		"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double amount = (double)bytes;
	size_t unit = 0;

	while (amount >= 1024 && unit + 1 < COUNT(units)) {
		amount /= 1024;
		unit++;
	}
	/* Three digits are enough to see what was meant. */
	if (amount >= 100)
		text_printf(out, "%.0f %s", amount, units[unit]);
	else
		text_printf(out, "%.3g %s", amount, units[unit]);
}

void sentence_put_ms(struct text *out, uint64_t ms)
{
	if (ms < 1000)
		text_printf(out, "%" PRIu64 " ms", ms);
	else if (ms % 1000 == 0)
		text_printf(out, "%" PRIu64 " s", ms / 1000);
	else
		text_printf(out, "%.3g s", (double)ms / 1000);
}

/* With so many digits that the difference can be seen. */
static void put_real(struct text *out, double number, int digits)
{
	if (isnan(number))
		text_puts(out, "NaN");
	else if (isinf(number))
		text_puts(out, number > 0 ? "+infinity" : "-infinity");
	else
		text_printf(out, "%.*g", digits, number);
}

static int digits_to_show(const struct mismatch *mismatch)
{
	int digits = mismatch->wrong_digit + 3;

	if (digits < 7)
		return 7;
	return digits > 17 ? 17 : digits;
}

static void put_whole(struct text *out, enum value_type type, int64_t number)
{
	if (type == TYPE_BOOL && (number == 0 || number == 1))
		text_puts(out, number ? "true" : "false");
	else if (type == TYPE_BOOL)
		text_printf(out, "%" PRId64 " (neither true nor false)",
			number & 0xff);
	else if (type == TYPE_CHAR && number > ' ' && number <= '~')
		text_printf(out, "'%c'", (char)number);
	else if (type == TYPE_SIZE || type == TYPE_UINT64)
		text_printf(out, "%" PRIu64, (uint64_t)number);
	else
		text_printf(out, "%" PRId64, number);
}

/* Wrong answers --------------------------------------------------------- */

/* "output[0][0]", "the returned value": where the mismatch is. */
static void put_place(struct text *out, const struct case_grade *graded)
{
	const struct function *function = graded->function;
	const struct mismatch *mismatch = &graded->mismatch;
	const struct value *value;
	char index[128];

	if (mismatch->output >= function->n_parameters) {
		text_puts(out, "the returned value");
		return;
	}
	text_puts(out, function->parameters[mismatch->output].name);
	if (!graded->test_case)
		return;
	value = &graded->test_case->arguments[mismatch->output];
	shape_describe_index(value->shape, value->n_axes, mismatch->element,
		index, sizeof(index));
	text_puts(out, index);
}

static void put_reals(
	struct text *out, const struct mismatch *mismatch, bool lost)
{
	int digits = digits_to_show(mismatch);

	if (isfinite(mismatch->got)) {
		text_puts(out, ": expected ");
		put_real(out, mismatch->expected, digits);
		text_puts(out, ", got ");
		put_real(out, mismatch->got, digits);
	} else {
		text_puts(out, " is ");
		put_real(out, mismatch->got, digits);
		text_puts(out, ", expected ");
		put_real(out, mismatch->expected, digits);
	}
	if (mismatch->got == -mismatch->expected) {
		text_puts(out, " (the sign is wrong)");
	} else if (mismatch->wrong_digit > 0) {
		text_puts(out, " (wrong from the ");
		sentence_put_ordinal(out, (unsigned int)mismatch->wrong_digit);
		text_puts(out, " digit)");
	}
	if (mismatch->lost_precision && lost)
		text_puts(out, ": right method, lost precision");
}

static void put_origin(struct text *out, const struct case_grade *graded)
{
	const struct function *function = graded->function;

	switch (graded->origin) {
	case ORIGIN_FROM_OUTPUT:
		text_puts(out, " was added to before it was set");
		break;
	case ORIGIN_FROM_STACK:
		text_puts(out,
			": its sum starts from an uninitialised "
			"variable");
		break;
	case ORIGIN_FROM_HEAP:
		text_puts(out, " uses memory from malloc that was never set");
		break;
	case ORIGIN_FROM_BEFORE:
		text_puts(out, " was computed from memory in front of ");
		if (graded->origin_parameter < function->n_parameters)
			text_printf(out, "%s[0]",
				function->parameters[graded->origin_parameter]
					.name);
		else
			text_puts(out, "an array");
		break;
	case ORIGIN_UNTOUCHED:
	case ORIGIN_COMPUTED:
		text_puts(out, " was never written");
		break;
	}
}

static void put_difference(
	struct text *out, const struct mismatch *mismatch, bool lost)
{
	if (type_is_float(mismatch->type)) {
		put_reals(out, mismatch, lost);
		return;
	}
	text_puts(out, ": expected ");
	put_whole(out, mismatch->type, mismatch->expected_number);
	text_puts(out, ", got ");
	put_whole(out, mismatch->type, mismatch->got_number);
}

static void put_wrong_answer(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	bool found = graded->mismatch.found;

	if (found)
		put_place(out, graded);
	else
		text_puts(out, "the answer");
	if (found && graded->origin != ORIGIN_COMPUTED)
		put_origin(out, graded);
	else if (graded->repeats_differ)
		text_puts(out,
			" changes when called again: something "
			"is kept between calls or added to the output");
	else if (found)
		put_difference(out, &graded->mismatch,
			grade->precision.loss != PRECISION_KEPT);
	else
		text_puts(out, " is wrong");
}

/* Crashes --------------------------------------------------------------- */

static void put_outside(struct text *out, const struct case_grade *graded)
{
	if (!graded->in_call)
		text_printf(out, ", outside %s()", graded->function->name);
}

/* "15 elements (5 rows of 3)" */
static void put_size(struct text *out, const struct value *value)
{
	char shape[128];

	text_printf(out, "%zu element%s", value->count,
		value->count == 1 ? "" : "s");
	if (value->n_axes < 2)
		return;
	shape_describe(value->shape, value->n_axes, shape, sizeof(shape));
	text_printf(out, " (%s)", shape);
}

/* "read K[15]: K has 15 elements (5 rows of 3)" */
void sentence_put_access(struct text *out, const struct case_grade *graded,
	const struct access *access)
{
	const char *name = graded->function->parameters[access->parameter].name;

	text_printf(out,
		"%s %s[%" PRId64 "]: ", access->write ? "wrote" : "read", name,
		access->element);
	if (access->to_input) {
		text_printf(out, "%s is an input", name);
	} else if (access->element < 0 || !graded->test_case) {
		text_printf(out, "%s starts at %s[0]", name, name);
	} else {
		text_printf(out, "%s has ", name);
		put_size(out, &graded->test_case->arguments[access->parameter]);
	}
}

/* "mask is NULL in this case", if one of the arrays is not given. */
static void put_null_arrays(struct text *out, const struct case_grade *graded)
{
	const struct function *function = graded->function;
	size_t n = 0;

	if (!graded->test_case)
		return;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!graded->test_case->arguments[p].is_null)
			continue;
		text_printf(out, "%s%s", n++ ? " and " : " (",
			function->parameters[p].name);
	}
	if (n > 0)
		text_printf(
			out, " %s NULL in this case)", n > 1 ? "are" : "is");
}

static void put_fault(struct text *out, const struct case_grade *graded)
{
	const struct run_result *ended = &graded->ended;
	const char *verb = ended->crash_write ? "wrote" : "read";

	if (ended->crash_code == SI_KERNEL || ended->crash_code <= 0) {
		text_puts(out,
			"used a pointer to nowhere, freed what malloc did not "
			"give, or wrote beside an array or a malloc'ed block");
	} else if (ended->crash_address == ended->crash_pc) {
		text_puts(out,
			ended->crash_pc < NULL_NEAR
				? "called a function through a NULL pointer"
				: "jumped to where there is no code");
	} else if (ended->crash_address < NULL_NEAR) {
		text_printf(out, "%s through a NULL pointer", verb);
		put_null_arrays(out, graded);
	} else if (ended->crash_code == SEGV_ACCERR && ended->crash_write) {
		text_puts(out,
			"wrote to memory that is read-only (a string or "
			"a constant?)");
	} else {
		text_printf(out,
			"%s memory that is not its own (a pointer never set "
			"or already freed, or an index far out of range?)",
			verb);
	}
}

static void put_segv(struct text *out, const struct case_grade *graded)
{
	if (graded->access.known)
		sentence_put_access(out, graded, &graded->access);
	else if (graded->ended.crash_known)
		put_fault(out, graded);
	else
		text_puts(out, "used memory that is not its own");
}

/* With libc's functions it may be another name that stands in the file. */
static void put_abort(struct text *out)
{
	text_puts(out, "called abort() (assert() and free() do that, too)");
}

static void put_signal(struct text *out, const struct case_grade *graded)
{
	const struct run_result *ended = &graded->ended;
	int number = ended->crash_known ? ended->crash_signal : ended->signal;
	const char *name = sigabbrev_np(number);

	switch (number) {
	case SIGSEGV:
		put_segv(out, graded);
		break;
	case SIGFPE:
		/* The processor traps both alike. */
		text_puts(out,
			"divided by zero, or the lowest int by -1 (whole "
			"numbers, / or %)");
		break;
	case SIGABRT:
		put_abort(out);
		break;
	case SIGBUS:
		text_puts(out, "used an address where no memory can be");
		break;
	case SIGILL:
		text_puts(out,
			"reached code that must not be reached (a wrong index "
			"or pointer that the compiler saw, __builtin_trap(), "
			"or a jump through a wrong pointer)");
		break;
	case SIGTRAP:
		text_puts(out, "stopped as if by a debugger");
		break;
	default:
		if (name)
			text_printf(out, "was ended by signal %d (SIG%s)",
				number, name);
		else
			text_printf(out, "was ended by signal %d", number);
		break;
	}
}

/* A call in one and the same place, twice above where it ended. */
static bool is_recursive(const struct run_result *ended)
{
	for (size_t i = 0; i < ended->n_frames; i++)
		for (size_t k = 0; k < i; k++)
			if (ended->frames[i] == ended->frames[k])
				return true;
	return false;
}

static void put_stack(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	text_puts(out, "used more than its stack of ");
	sentence_put_bytes(out, grade->limits->stack_bytes);
	text_puts(out,
		is_recursive(&graded->ended)
			? " (endless recursion?)"
			: " (a large local array, or endless recursion?)");
}

/* What was refused before is why it left, most likely. */
static void put_exit(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	text_printf(out, "called exit(%d)%s", graded->ended.exit_code,
		graded->in_call ? " in this case" : "");
	if (graded->ended.memory_refused <= grade->limits->memory_bytes)
		return;
	text_puts(out, " after it was refused ");
	sentence_put_bytes(out, graded->ended.memory_refused);
	text_puts(out, " of memory (the limit is ");
	sentence_put_bytes(out, grade->limits->memory_bytes);
	text_putc(out, ')');
}

static void put_runtime_error(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	const struct run_result *ended = &graded->ended;

	if (graded->stack_overflow)
		put_stack(out, grade, graded);
	else if (graded->frame_overwritten)
		text_puts(out, "wrote past the end of a local array");
	else if (ended->end == RUN_EXITED)
		put_exit(out, grade, graded);
	else if (ended->end == RUN_ABORTED)
		put_abort(out);
	else if (ended->end == RUN_SIGNALED)
		put_signal(out, graded);
	else
		text_puts(out, "ended before it returned");
	put_outside(out, graded);
}

/* Limits ---------------------------------------------------------------- */

/* What stands in the file, most likely, where the call has another name. */
static void put_callers(struct text *out, const char *call)
{
	static const struct {
		const char *call;
		const char *callers;
	} rows[] = {
		{"nanosleep", "sleep() and usleep() call it"},
		{"clock_nanosleep", "sleep() and usleep() call it"},
		{"open", "fopen() calls it"},
		{"pipe2", "system() and popen() call it"},
		{"setitimer", "alarm() calls it"},
		{"tkill", "raise() calls it"},
		{"tgkill", "raise() calls it"},
		{"clone", "starting a thread calls it"},
		{"clone3", "system() and starting a thread call it"},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i].call, call) == 0)
			text_printf(out, " (%s)", rows[i].callers);
}

static void put_violation(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	const struct run_violation *violation = &graded->ended.violation;
	char name[sizeof(violation->name) + 1];

	(void)grade;
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(violation->name),
		violation->name);
	if (name[0]) {
		text_printf(out, "called %s(), which is not allowed", name);
		put_callers(out, name);
	} else if (violation->architecture == AUDIT_ARCH_I386) {
		text_printf(out,
			"made the 32-bit system call %" PRId64
			", which is not allowed",
			violation->number);
	} else if (violation->architecture != 0) {
		text_printf(out,
			"made system call %" PRId64 ", which is not allowed",
			violation->number);
	} else {
		text_puts(out,
			"made a system call that is not allowed (this "
			"machine does not tell which)");
	}
	put_outside(out, graded);
}

static void put_time_limit(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	if (graded->ended.end == RUN_CPU_TOTAL) {
		text_puts(out, "all cases together ran longer than ");
		sentence_put_ms(out, grade->limits->cpu_total_ms);
	} else {
		text_puts(out, "ran longer than ");
		sentence_put_ms(out, grade->limits->cpu_case_ms);
		if (graded->in_call)
			text_puts(out, " in this case (an endless loop?)");
		else
			put_outside(out, graded);
	}
}

static void put_memory_limit(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	const uint64_t refused = graded->ended.memory_refused;
	const uint64_t limit = grade->limits->memory_bytes;

	if (graded->stack_overflow) {
		put_stack(out, grade, graded);
	} else if (refused > limit) {
		text_puts(out, "asked for ");
		sentence_put_bytes(out, refused);
		text_puts(out, " of memory, the limit is ");
		sentence_put_bytes(out, limit);
	} else if (refused >= REFUSAL_KNOWN) {
		text_puts(out, "used up its memory: it asked for ");
		sentence_put_bytes(out, refused);
		text_puts(out, " more, the limit is ");
		sentence_put_bytes(out, limit);
	} else {
		text_puts(out, "used more memory than its limit of ");
		sentence_put_bytes(out, limit);
	}
	put_outside(out, graded);
}

static void put_output_limit(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	(void)graded;
	text_puts(out, "printed more than ");
	sentence_put_bytes(out, grade->limits->output_bytes);
}

static void put_not_run(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	(void)graded;
	if (!grade->compiled) {
		text_puts(out, "not run, since it does not compile");
		return;
	}
	text_puts(out, "not run: the cases before it used up all of the ");
	sentence_put_ms(out, grade->limits->cpu_total_ms);
	text_puts(out, " that there are");
}

static void put_compile_error(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	(void)grade;
	(void)graded;
	text_puts(out, "does not compile");
}

static void put_grader_error(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	(void)grade;
	text_puts(out, "the grader failed here, not your program");
	if (graded->ended.end == RUN_KILLED)
		text_puts(out, ": somebody else killed the process");
	else if (graded->ended.end == RUN_STARVED)
		text_puts(out, ": this machine was too busy to run it");
	text_puts(out, "; please grade again");
}

/* One row for each verdict ---------------------------------------------- */

static const struct {
	const char *brief;
	put_words *put; /* NULL: nothing to say */
} verdicts[] = {
	[VERDICT_GRADER_ERROR] = {"the grader failed", put_grader_error},
	[VERDICT_COMPILE_ERROR] = {"does not compile", put_compile_error},
	[VERDICT_SECURITY_VIOLATION] = {"made a system call that is not "
					"allowed",
		put_violation},
	[VERDICT_TIME_LIMIT] = {"ran too long", put_time_limit},
	[VERDICT_MEMORY_LIMIT] = {"used too much memory", put_memory_limit},
	[VERDICT_OUTPUT_LIMIT] = {"printed too much", put_output_limit},
	[VERDICT_RUNTIME_ERROR] = {"ended before it returned",
		put_runtime_error},
	[VERDICT_WRONG_ANSWER] = {"wrong answer", put_wrong_answer},
	[VERDICT_NOT_RUN] = {"not run", put_not_run},
	[VERDICT_PASS] = {"passed", NULL},
};

void sentence_put_case(struct text *out, const struct grade *grade,
	const struct case_grade *graded)
{
	put_words *put = verdicts[graded->verdict].put;

	if (!put)
		return;
	if (graded->details || graded->verdict == VERDICT_GRADER_ERROR)
		put(out, grade, graded);
	else
		text_puts(out, verdicts[graded->verdict].brief);
}
