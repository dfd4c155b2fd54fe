/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/forged.h"

#include "base/error.h"
#include "grader/engine/compile.h"
#include "sandbox/proc.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"
#include "tests/fuzz/forged_process.h"
#include "tests/support/elf_file.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	LISTENER = 1 << 20, /* no descriptor is that high */
	CPU_CLOCK = -4242,
	/* Whoever has used as much may be thought to be short of it. */
	MEMORY_KIB_NEAR = 32 << 10,
};

struct forged forged;

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
	process->n_calls = process_progress(process)->end -
		process_progress(process)->first;
	*child_out = (struct spawn_child){.pid = PID,
		.pidfd = LISTENER + 1,
		.listener = forged.listens ? LISTENER : -1};
	forged.cpu_us = 0;
	forged.moving_us = forged.now_us;
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
			process_leave(process, SIGKILL);
		if (process->asks && fds[1].fd >= 0 && !process->killed) {
			fds[1].revents = POLLIN;
			return 1;
		}
		if (process->leaves || process->killed) {
			process_die(process);
			fds[0].revents = POLLIN;
			fds[1].revents = POLLHUP;
			return 2;
		}
		if (forged.now_us != before)
			return 0;
		process_step(process);
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
		process_leave(process, (int)(data->args[0] & 0xff) << 8);
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

void forged_start(struct fuzz_input script, bool listens, bool wordless,
	const struct case_list *cases)
{
	assert(!forged.active && cases->count <= FORGED_CASES_MAX);
	memset(&forged, 0, sizeof(forged));
	forged.script = script;
	forged.listens = listens;
	forged.wordless = wordless;
	forged.cases = cases;
	forged.now_us = 1000000;
	forged.active = true;
}

struct forged_outcome forged_stop(void)
{
	forged.active = false;
	return forged.outcome;
}
