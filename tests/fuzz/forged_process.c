/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/forged_process.h"

#include "sandbox/protocol.h"
#include "tests/support/elf_file.h"

#include <assert.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	STEPS_MAX = 400, /* of one process, before its script is over */
	TEXT_BYTES_MAX = 8192,
};

/* The plan -------------------------------------------------------------- */

static const struct plan *plan_of(const struct process *process)
{
	return (const void *)process->plan;
}

static const struct plan_call *call_at(
	const struct process *process, size_t entry)
{
	const void *calls = process->plan + plan_of(process)->calls_at;

	return (const struct plan_call *)calls + entry;
}

static const struct plan_argument *arguments_at(
	const struct process *process, size_t entry)
{
	const void *arguments = process->plan + plan_of(process)->arguments_at;

	return (const struct plan_argument *)arguments +
		call_at(process, entry)->first_argument;
}

struct progress *process_progress(const struct process *process)
{
	return (void *)process->outputs;
}

static struct call_record *record_at(
	const struct process *process, size_t entry)
{
	void *records = process->outputs + plan_of(process)->records_at;

	return (struct call_record *)records + entry;
}

/* The case that an entry of the plan calls: no two have the same inputs. */
static size_t case_of(const struct process *process, size_t entry)
{
	const struct plan_call *call = call_at(process, entry);
	const struct plan_argument *arguments = arguments_at(process, entry);

	for (size_t c = 0; c < forged.cases->count; c++) {
		const struct test_case *found = &forged.cases->cases[c];
		bool same = call->function == found->function_index;

		for (size_t p = 0; same && p < call->n_arguments; p++)
			same = arguments[p].kind != ARGUMENT_INPUT ||
				memcmp(process->plan + arguments[p].value,
					found->arguments[p].data,
					arguments[p].bytes) == 0;
		if (same)
			return c;
	}
	assert(!"a plan calls nothing but cases");
	return 0;
}

static enum value_type type_of(const struct function *function, size_t p)
{
	return p < function->n_parameters ? function->parameters[p].type
					  : function->return_type;
}

/* Element for element, as compare.h says it, but on its own. */
static bool output_is_right(enum value_type type, const struct value *expected,
	const struct value *tolerance, const char *got)
{
	for (size_t i = 0; i < expected->count; i++) {
		size_t bytes = type_bytes(type);
		const char *right = (const char *)expected->data + i * bytes;
		double allowed = tolerance->data
			? ((const double *)tolerance->data)[i]
			: 0;
		double a, b;
		uint64_t bits;

		if (!type_is_float(type)) {
			if (memcmp(right, got + i * bytes, bytes) != 0)
				return false;
			continue;
		}
		element_load(type, right, 0, &bits, &a);
		element_load(type, got + i * bytes, 0, &bits, &b);
		if (!isfinite(b) || a > b + allowed || a < b - allowed)
			return false;
	}
	return true;
}

static bool entry_is_right(const struct process *process, size_t entry)
{
	const struct plan_argument *arguments = arguments_at(process, entry);
	const struct test_case *test_case =
		&forged.cases->cases[case_of(process, entry)];

	for (size_t p = 0; p <= test_case->function->n_parameters; p++)
		if (test_case->expected[p].data &&
			!output_is_right(type_of(test_case->function, p),
				&test_case->expected[p],
				&test_case->tolerance[p],
				process->outputs + arguments[p].value))
			return false;
	return true;
}

/* Once it is dead, nothing changes any more. */
static void note_what_is_right(const struct process *process)
{
	size_t n = plan_of(process)->n_calls;

	for (size_t entry = 0; entry < n;) {
		size_t c = case_of(process, entry);
		bool right = true;

		do
			right &= entry_is_right(process, entry++);
		while (entry < n && call_at(process, entry)->keep_outputs);
		forged.outcome.right[c] |= right;
	}
}

/* What it does ---------------------------------------------------------- */

static void print(struct process *process, const void *data, size_t len)
{
	if (process->text_bytes + len > TEXT_BYTES_MAX)
		return;
	assert(write(process->text, data, len) == (ssize_t)len);
	process->text_bytes += len;
}

/* Makes the next call, and makes it right. */
static bool call_rightly(struct process *process)
{
	struct progress *progress = process_progress(process);
	uint64_t entry = progress->first + progress->done;
	const struct test_case *test_case;
	const struct plan_argument *arguments;

	if (entry < progress->first || entry >= plan_of(process)->n_calls)
		return false;
	arguments = arguments_at(process, entry);
	test_case = &forged.cases->cases[case_of(process, entry)];
	progress->current = progress->done + 1;
	for (size_t p = 0; p <= test_case->function->n_parameters; p++) {
		const struct value *expected = &test_case->expected[p];

		if (expected->data)
			memcpy(process->outputs + arguments[p].value,
				expected->data,
				expected->count *
					type_bytes(type_of(
						test_case->function, p)));
	}
	*record_at(process, entry) =
		(struct call_record){process->text_bytes, 100};
	progress->done++;
	return true;
}

/* Anywhere in what it shares but the slots' pages, which nobody reads. */
static void scribble(struct process *process)
{
	const struct plan *plan = plan_of(process);
	const struct plan_argument *last =
		arguments_at(process, plan->n_calls - 1) +
		call_at(process, plan->n_calls - 1)->n_arguments - 1;
	size_t most = last->value + last->bytes;
	size_t at = fuzz_number(&forged.script, 2) % most;
	size_t len = fuzz_byte(&forged.script);

	fuzz_take(&forged.script, process->outputs + at,
		len < most - at ? len : most - at);
}

/* What comes of memory that was never set, as the runner fills it. */
static void leave_unset(struct process *process)
{
	static const unsigned int origins[] = {FILL_OUTPUT, FILL_STACK,
		FILL_HEAP, FILL_BEFORE, FILL_BEFORE + 1, 9, 255};
	unsigned int origin = origins[fuzz_byte(&forged.script) %
		(sizeof(origins) / sizeof(*origins))];
	size_t entry = fuzz_byte(&forged.script) % plan_of(process)->n_calls;
	const struct test_case *test_case =
		&forged.cases->cases[case_of(process, entry)];
	const struct function *function = test_case->function;
	const struct plan_argument *output =
		arguments_at(process, entry) + function->n_parameters - 1;
	enum value_type type = type_of(function, function->n_parameters - 1);
	uint32_t nonce = plan_of(process)->nonce;
	uint64_t real = FILL_DOUBLE(origin, nonce) | FILL_QUIET_BIT;
	uint32_t half = FILL_FLOAT(origin, nonce) | 0x00400000;

	assert(output->kind == ARGUMENT_OUTPUT);
	if (type == TYPE_DOUBLE)
		memcpy(process->outputs + output->value, &real, sizeof(real));
	else if (type == TYPE_FLOAT)
		memcpy(process->outputs + output->value, &half, sizeof(half));
}

static uint64_t some_address(const struct process *process)
{
	const struct plan *plan = plan_of(process);
	const struct plan_slot *slots =
		(const void *)(process->plan + plan->slots_at);
	unsigned int kind = fuzz_byte(&forged.script);
	uint64_t offset = fuzz_number(&forged.script, 2);

	switch (kind % 6) {
	case 0:
		return offset;
	case 1:
		return ELF_FILE_TEXT + offset % 128;
	case 2:
		return fuzz_number(&forged.script, 8);
	case 3: /* as the stack's top and bottom are */
		return 0x7ffffffff000 - offset * 64;
	default:
		return slots[kind / 6 % plan->n_slots].address +
			slots[kind / 6 % plan->n_slots].bytes + offset - 0x8000;
	}
}

/* What only a shim that checks has to say; here any program says it. */
static void write_notes(const struct process *process, struct crash_report *out)
{
	out->notes[0] = fuzz_byte(&forged.script) % 10;
	for (size_t i = 1; i < CRASH_NOTES; i++)
		out->notes[i] = fuzz_byte(&forged.script) % 2
			? some_address(process)
			: fuzz_number(&forged.script, 8);
	/* Often a NaN that names its origin. */
	if (fuzz_byte(&forged.script) % 2)
		out->notes[1] = (uint64_t)0x7ff00000 << 32 |
			fuzz_number(&forged.script, 8) >> 13;
}

static struct crash_report some_crash(const struct process *process)
{
	static const int signals[] = {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL,
		SIGTRAP, SIGXFSZ, SIGSYS};
	unsigned int kind = fuzz_byte(&forged.script);
	struct crash_report crash = {0};

	crash.signal = kind & 0x80 ? (int32_t)fuzz_number(&forged.script, 4)
				   : signals[kind % 8];
	crash.code = (int8_t)fuzz_byte(&forged.script);
	crash.address = some_address(process);
	crash.pc = some_address(process);
	crash.sp = some_address(process);
	crash.stack_top = some_address(process);
	crash.fault_bits = kind >> 3;
	crash.n_frames = fuzz_byte(&forged.script);
	for (size_t i = 0; i < 2; i++)
		crash.frames[i] = some_address(process);
	if (kind & 0x40)
		crash.address = crash.pc;
	if (kind & 0x20)
		write_notes(process, &crash);
	if (forged.wordless)
		crash = (struct crash_report){0};
	return crash;
}

void process_leave(struct process *process, int status)
{
	process->leaves = true;
	process->status = status;
}

/* Where nothing is put to us the filter decides. */
static void be_filtered(struct process *process)
{
	const struct seccomp_data *data = &process->asked.data;

	if (forged.listens)
		process->asks = true;
	else if (data->arch == AUDIT_ARCH_X86_64 && data->nr == SYS_exit_group)
		process_leave(process, (int)(data->args[0] & 0xff) << 8);
	else if (data->arch != AUDIT_ARCH_X86_64 ||
		data->nr != CRASH_REPORT_CALL)
		process_leave(process, SIGSYS);
}

static void start_asking(struct process *process)
{
	process->asked = (struct seccomp_notif){
		.id = 7, .pid = PID, .data = {.arch = AUDIT_ARCH_X86_64}};
}

/* How it can ask to be killed, to leave, or for memory. */
static void ask(struct process *process)
{
	static const struct {
		int number;
		uint64_t arguments[4];
	} asks[] = {
		{SYS_exit_group, {0}},
		{SYS_mmap, {0, 1 << 30, 3, 0x22}},
		{SYS_mremap, {0, 1 << 20, 1 << 27, 0}},
		{SYS_tgkill, {PID, PID, SIGABRT}},
		{SYS_tkill, {PID, SIGABRT}},
		{SYS_tgkill, {1, 1, SIGABRT}},
		{SYS_socket, {2, 1}},
		{SYS_clone, {SIGCHLD}},
	};
	unsigned int kind = fuzz_byte(&forged.script);
	struct seccomp_data *data = &process->asked.data;

	start_asking(process);
	if (kind < 64) {
		data->nr = asks[kind % 8].number;
		for (size_t i = 0; i < 4; i++)
			data->args[i] = asks[kind % 8].arguments[i];
	} else {
		if (kind & 32)
			data->arch = AUDIT_ARCH_I386;
		data->nr = (int)fuzz_number(&forged.script, kind & 16 ? 4 : 2);
		data->instruction_pointer = kind & 8 ? RUNNER_EXIT : 0;
		for (size_t i = 0; i < kind % 7; i++)
			data->args[i] = fuzz_number(&forged.script, 8);
	}
	be_filtered(process);
}

/* As the runner's handler does. */
static void report_crash(struct process *process)
{
	struct crash_report crash = some_crash(process);
	struct seccomp_data *data = &process->asked.data;

	process_progress(process)->crash = crash;
	start_asking(process);
	data->nr = CRASH_REPORT_CALL;
	data->args[0] = (uint32_t)crash.signal | (uint64_t)crash.code << 32;
	data->args[1] = crash.address;
	data->args[2] = crash.pc;
	data->args[3] = crash.sp;
	data->args[4] = crash.fault_bits;
	data->args[5] = crash.n_frames;
	be_filtered(process);
}

/* By the runner's door, as the runner does. */
static void finish(struct process *process)
{
	start_asking(process);
	process->asked.data.nr = SYS_exit_group;
	process->asked.data.instruction_pointer = RUNNER_EXIT;
	be_filtered(process);
	process_leave(process, RUNNER_EXIT_CODE << 8);
}

/* One step of its script. */
void process_step(struct process *process)
{
	struct progress *progress = process_progress(process);
	unsigned int kind;
	char text[256];

	if (forged.script.len == 0 || process->steps++ == STEPS_MAX) {
		while (call_rightly(process))
			;
		finish(process);
		return;
	}
	kind = fuzz_byte(&forged.script);
	switch (kind % 12) {
	case 0:
		for (unsigned int i = 0; i <= kind / 12; i++)
			(void)call_rightly(process);
		break;
	case 1:
		scribble(process);
		break;
	case 2:
		/* As when the next call has begun, or anything at all. */
		progress->current = kind / 12 > 8
			? progress->done + 1
			: fuzz_number(&forged.script, kind / 12);
		break;
	case 3:
		if (kind / 12 > 8)
			leave_unset(process);
		else
			progress->done = fuzz_number(&forged.script, kind / 12);
		break;
	case 4:
		kind = fuzz_byte(&forged.script);
		print(process, text, fuzz_take(&forged.script, text, kind));
		break;
	case 5:
		memset(text, 'x', sizeof(text));
		for (unsigned int i = 0; i <= kind / 12; i++)
			print(process, text, sizeof(text));
		break;
	case 6:
		forged.now_us += fuzz_number(&forged.script, 3);
		break;
	case 7: {
		uint64_t us = fuzz_number(&forged.script, 3);

		forged.now_us += us;
		forged.cpu_us += us;
		if (us > 0)
			forged.moving_us = forged.now_us;
		break;
	}
	case 8:
		ask(process);
		break;
	case 9:
		report_crash(process);
		break;
	case 10:
		finish(process);
		break;
	default:
		process_leave(process, (int)fuzz_number(&forged.script, 2));
		/* Stopped is not dead, and 0x7f is what says stopped. */
		if ((process->status & 0x7f) == 0x7f)
			process->status = SIGSEGV;
		break;
	}
}

static bool is_clean(const struct process *process)
{
	return !process->killed && process->status == RUNNER_EXIT_CODE << 8 &&
		(process->at_door || !forged.listens) &&
		process_progress(process)->done == process->n_calls;
}

/* What ends like this is started once more: for our fault, or to give a call
   all of what those before it had used up. */
static bool may_be_again(const struct process *process)
{
	bool starved = process->killed && !process->asks &&
		forged.now_us - forged.moving_us >= FORGED_PATIENCE_US;

	return starved || process->short_of_memory ||
		(process->status & 0x7f) == SIGXFSZ;
}

void process_die(struct process *process)
{
	const struct plan *plan = plan_of(process);

	note_what_is_right(process);
	if (forged.wordless) {
		process_progress(process)->crash = (struct crash_report){0};
		memset(record_at(process, 0), 0,
			plan->n_calls * sizeof(struct call_record));
	}
	if (!is_clean(process) && !may_be_again(process))
		forged.outcome.troubled = true;
}
