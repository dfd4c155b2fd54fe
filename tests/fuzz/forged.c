/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/forged.h"

#include "base/error.h"
#include "grader/engine/compile.h"
#include "sandbox/proc.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"
#include "tests/support/elf_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	PID = 4242,
	RUNNER_EXIT = 0x500000,
	LISTENER = 1 << 20, /* no descriptor is that high */
	CPU_CLOCK = -4242,
	STEPS_MAX = 400, /* of one process, before its script is over */
	TEXT_BYTES_MAX = 8192,
	/* Whoever has used as much may be thought to be short of it. */
	MEMORY_KIB_NEAR = 32 << 10,
};

/* The process as it is now. */
struct process {
	char *plan; /* both as the process maps them */
	size_t plan_bytes;
	char *outputs;
	size_t outputs_bytes;
	int text;
	uint64_t text_bytes;
	bool killed;
	bool leaves; /* with this status, at the next look */
	int status;
	int steps;
	bool asks;
	bool at_door; /* it asked to leave as the runner does */
	bool short_of_memory;
	uint64_t n_calls; /* that it is to make */
	struct seccomp_notif asked;
};

static struct {
	bool active;
	bool listens;
	struct fuzz_input script;
	const struct case_list *cases;
	struct forged_outcome outcome;
	uint64_t now_us, cpu_us;
	struct process process;
} forged;

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

static struct progress *progress_of(const struct process *process)
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
	struct progress *progress = progress_of(process);
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

static struct crash_report some_crash(const struct process *process)
{
	static const int signals[] = {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL,
		SIGTRAP, SIGXFSZ, SIGSYS};
	unsigned int kind = fuzz_byte(&forged.script);
	struct crash_report crash = {
		.signal = kind & 0x80 ? (int32_t)fuzz_number(&forged.script, 4)
				      : signals[kind % 8],
		.code = (int8_t)fuzz_byte(&forged.script),
		.address = some_address(process),
		.pc = some_address(process),
		.sp = some_address(process),
		.stack_top = some_address(process),
		.fault_bits = kind >> 3,
		.n_frames = fuzz_byte(&forged.script),
	};

	for (size_t i = 0; i < 2; i++)
		crash.frames[i] = some_address(process);
	if (kind & 0x40)
		crash.address = crash.pc;
	return crash;
}

static void leave(struct process *process, int status)
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
		leave(process, (int)(data->args[0] & 0xff) << 8);
	else if (data->arch != AUDIT_ARCH_X86_64 ||
		data->nr != CRASH_REPORT_CALL)
		leave(process, SIGSYS);
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

	progress_of(process)->crash = crash;
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
	leave(process, RUNNER_EXIT_CODE << 8);
}

/* One step of its script. */
static void step(struct process *process)
{
	struct progress *progress = progress_of(process);
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
		progress->current = fuzz_number(&forged.script, kind / 12 % 9);
		break;
	case 3:
		progress->done = fuzz_number(&forged.script, kind / 12 % 9);
		break;
	case 4:
		print(process, text,
			fuzz_take(&forged.script, text,
				fuzz_byte(&forged.script)));
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
		leave(process, (int)fuzz_number(&forged.script, 2));
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
		progress_of(process)->done == process->n_calls;
}

/* What ends like this is started once more: for our fault, or to give a call
   all of what those before it had used up. */
static bool may_be_again(const struct process *process)
{
	bool starved = process->killed && !process->asks &&
		forged.cpu_us < FORGED_CALL_US;

	return starved || process->short_of_memory ||
		(process->status & 0x7f) == SIGXFSZ;
}

static void die(struct process *process)
{
	note_what_is_right(process);
	if (!is_clean(process) && !may_be_again(process))
		forged.outcome.troubled = true;
}

/* The kernel ------------------------------------------------------------ */

bool __real_cases_prepare(const struct case_request *request,
	const struct tools *tools, struct arena *arena,
	struct case_list *list_out, struct error *err);
bool __wrap_cases_prepare(const struct case_request *request,
	const struct tools *tools, struct arena *arena,
	struct case_list *list_out, struct error *err);
bool __real_compile_program(const struct tools *tools,
	const struct build_request *request, struct arena *arena,
	struct build *build_out, struct error *err);
bool __wrap_compile_program(const struct tools *tools,
	const struct build_request *request, struct arena *arena,
	struct build *build_out, struct error *err);
bool __real_spawn_start(const struct spawn *spawn,
	struct spawn_child *child_out, struct error *err);
bool __wrap_spawn_start(const struct spawn *spawn,
	struct spawn_child *child_out, struct error *err);
void __real_spawn_kill(const struct spawn_child *child);
void __wrap_spawn_kill(const struct spawn_child *child);
bool __real_spawn_wait(const struct spawn_child *child, int *status_out,
	uint64_t *cpu_us_out, struct error *err);
bool __wrap_spawn_wait(const struct spawn_child *child, int *status_out,
	uint64_t *cpu_us_out, struct error *err);
void __real_spawn_finish(struct spawn_child *child);
void __wrap_spawn_finish(struct spawn_child *child);
bool __real_proc_read_memory(pid_t pid, struct proc_memory *out);
bool __wrap_proc_read_memory(pid_t pid, struct proc_memory *out);
int __real_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask);
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask);
int __real_ioctl(int fd, unsigned long request, void *argument);
int __wrap_ioctl(int fd, unsigned long request, void *argument);
int __real_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __real_clock_getcpuclockid(pid_t pid, clockid_t *out);
int __wrap_clock_getcpuclockid(pid_t pid, clockid_t *out);

static char *map(int fd, int protection, size_t *bytes_out)
{
	struct stat status;
	void *mapping;

	assert(fstat(fd, &status) == 0);
	*bytes_out = (size_t)status.st_size;
	mapping = mmap(NULL, *bytes_out, protection, MAP_SHARED, fd, 0);
	assert(mapping != MAP_FAILED);
	return mapping;
}

bool __wrap_spawn_start(const struct spawn *spawn,
	struct spawn_child *child_out, struct error *err)
{
	struct process *process = &forged.process;

	if (!forged.active)
		return __real_spawn_start(spawn, child_out, err);
	*process = (struct process){.text = spawn->fds[FD_STDOUT]};
	process->plan =
		map(spawn->fds[FD_PLAN], PROT_READ, &process->plan_bytes);
	process->outputs = map(spawn->fds[FD_OUTPUTS], PROT_READ | PROT_WRITE,
		&process->outputs_bytes);
	process->n_calls =
		progress_of(process)->end - progress_of(process)->first;
	*child_out = (struct spawn_child){.pid = PID,
		.pidfd = LISTENER + 1,
		.listener = forged.listens ? LISTENER : -1};
	forged.cpu_us = 0;
	forged.outcome.n_processes++;
	return true;
}

void __wrap_spawn_kill(const struct spawn_child *child)
{
	if (forged.active)
		forged.process.killed = true;
	else
		__real_spawn_kill(child);
}

bool __wrap_spawn_wait(const struct spawn_child *child, int *status_out,
	uint64_t *cpu_us_out, struct error *err)
{
	if (!forged.active)
		return __real_spawn_wait(child, status_out, cpu_us_out, err);
	*status_out = forged.process.status;
	*cpu_us_out = forged.cpu_us;
	return true;
}

void __wrap_spawn_finish(struct spawn_child *child)
{
	struct process *process = &forged.process;

	if (!forged.active) {
		__real_spawn_finish(child);
		return;
	}
	munmap(process->plan, process->plan_bytes);
	munmap(process->outputs, process->outputs_bytes);
	*process = (struct process){0};
}

bool __wrap_proc_read_memory(pid_t pid, struct proc_memory *out)
{
	if (!forged.active)
		return __real_proc_read_memory(pid, out);
	if (fuzz_byte(&forged.script) & 1)
		return false;
	out->stack_kib = fuzz_byte(&forged.script);
	out->size_kib = out->stack_kib + fuzz_number(&forged.script, 3);
	out->size_peak_kib = out->size_kib;
	out->used_peak_kib = out->size_kib / 2;
	forged.process.short_of_memory |= out->size_kib >= MEMORY_KIB_NEAR;
	return true;
}

/* Time goes by, things are done, until there is something to be told. */
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask)
{
	struct process *process = &forged.process;
	uint64_t before = forged.now_us;

	if (!forged.active)
		return __real_ppoll(fds, n, timeout, mask);
	for (nfds_t i = 0; i < n; i++)
		fds[i].revents = 0;
	for (;;) {
		if (process->killed && !process->leaves)
			leave(process, SIGKILL);
		if (process->asks && fds[1].fd >= 0 && !process->killed) {
			fds[1].revents = POLLIN;
			return 1;
		}
		if (process->leaves || process->killed) {
			die(process);
			fds[0].revents = POLLIN;
			fds[1].revents = POLLHUP;
			return 2;
		}
		if (forged.now_us != before)
			return 0;
		step(process);
	}
}

/* The answer decides what it does next; here, nearly nothing. */
static void take_answer(
	struct process *process, const struct seccomp_notif_resp *answer)
{
	const struct seccomp_data *data = &process->asked.data;

	assert(answer->id == process->asked.id);
	process->asks = false;
	process->short_of_memory |= answer->error == -ENOMEM;
	process->at_door |= data->nr == SYS_exit_group &&
		data->instruction_pointer == RUNNER_EXIT &&
		data->args[0] == RUNNER_EXIT_CODE;
	if (data->arch == AUDIT_ARCH_X86_64 && data->nr == SYS_exit_group &&
		!process->leaves)
		leave(process, (int)(data->args[0] & 0xff) << 8);
}

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
	struct process *process = &forged.process;

	if (!forged.active || fd != LISTENER)
		return __real_ioctl(fd, request, argument);
	if (request == SECCOMP_IOCTL_NOTIF_RECV) {
		assert(process->asks);
		memcpy(argument, &process->asked, sizeof(process->asked));
	} else if (request == SECCOMP_IOCTL_NOTIF_SEND) {
		take_answer(process, argument);
	}
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	uint64_t us = clock == CPU_CLOCK ? forged.cpu_us : forged.now_us;

	if (!forged.active)
		return __real_clock_gettime(clock, out);
	if (clock == CLOCK_THREAD_CPUTIME_ID)
		us = 0;
	*out = (struct timespec){
		(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
	return 0;
}

int __wrap_clock_getcpuclockid(pid_t pid, clockid_t *out)
{
	if (!forged.active)
		return __real_clock_getcpuclockid(pid, out);
	*out = CPU_CLOCK;
	return 0;
}

/* From start to stop ---------------------------------------------------- */

/* What every submission becomes. */
static int make_program(void)
{
	struct elf_file file;
	int fd = memfd_create("program", MFD_CLOEXEC);

	elf_file_make(&file);
	assert(fd >= 0);
	assert(write(fd, &file, sizeof(file)) == sizeof(file));
	return fd;
}

bool __wrap_cases_prepare(const struct case_request *request,
	const struct tools *tools, struct arena *arena,
	struct case_list *list_out, struct error *err)
{
	if (!forged.active)
		return __real_cases_prepare(
			request, tools, arena, list_out, err);
	*list_out = *forged.cases;
	return true;
}

bool __wrap_compile_program(const struct tools *tools,
	const struct build_request *request, struct arena *arena,
	struct build *build_out, struct error *err)
{
	if (!forged.active)
		return __real_compile_program(
			tools, request, arena, build_out, err);
	*build_out = (struct build){
		.ok = true,
		.program = {.fd = make_program(),
			.runner_exit = RUNNER_EXIT,
			.learner_start = ELF_FILE_TEXT,
			.learner_end = ELF_FILE_TEXT + ELF_FILE_TEXT_BYTES / 2,
			.guard_start = ELF_FILE_TEXT + ELF_FILE_TEXT_BYTES / 2,
			.guard_end = ELF_FILE_TEXT + ELF_FILE_TEXT_BYTES},
	};
	return true;
}

void forged_start(
	struct fuzz_input script, bool listens, const struct case_list *cases)
{
	assert(!forged.active && cases->count <= FORGED_CASES_MAX);
	memset(&forged, 0, sizeof(forged));
	forged.script = script;
	forged.listens = listens;
	forged.cases = cases;
	forged.now_us = 1000000;
	forged.active = true;
}

struct forged_outcome forged_stop(void)
{
	forged.active = false;
	return forged.outcome;
}
