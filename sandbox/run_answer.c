/* SPDX-License-Identifier: MIT */

/*
 * The calls that are put to us.
 *
 * The child waits until we answer, so what the kernel says of it meanwhile is
 * true; what is in memory that it shares with us may be forged all the same.
 */

#include "base/clock.h"
#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/proc.h"
#include "sandbox/protocol.h"
#include "sandbox/run.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

enum {
	CRASHES_MAX = 8, /* reports; an honest program makes one per signal */
	X32_BIT = 0x40000000,
	KIB = 1024,
};

/* Of newer headers. */
#define NOTIF_SET_FLAGS _IOW('!', 4, uint64_t)
#define NOTIF_SYNC_WAKE_UP 1ul

_Static_assert(sizeof(((struct run_result *)0)->notes) ==
		sizeof(((struct crash_report *)0)->notes),
	"one for each");

static bool still_asks(const struct run *run, uint64_t id)
{
	return ioctl(run->child.listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) ==
		0;
}

/* While the child waits for our answer. */
static bool read_figures(
	struct run *run, uint64_t id, struct proc_memory *memory)
{
	if (!proc_read_memory(run->proc_pid, memory) || !still_asks(run, id))
		return false;
	run->result.memory_figures = true;
	run->result.memory_peak_kib = memory->used_peak_kib;
	run->space_peak_bytes = memory->size_peak_kib * KIB;
	return true;
}

/*
 * What some library functions become, with musl or with glibc, is told by the
 * function's name: who wrote fork() and reads clone() looks in vain.
 */
static const struct {
	int call;
	unsigned int argument;
	uint32_t value; /* the argument's lower half */
	const char *name;
} functions[] = {
	{SYS_clone, 0, SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
		"fork"},
	{SYS_openat, 0, (uint32_t)AT_FDCWD, "open"},
};

static bool name_function(struct run_violation *violation)
{
	if (violation->architecture != AUDIT_ARCH_X86_64)
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		uint64_t argument = violation->arguments[functions[i].argument];

		if (violation->number != functions[i].call ||
			(uint32_t)argument != functions[i].value)
			continue;
		strncpy(violation->name, functions[i].name,
			sizeof(violation->name) - 1);
		return true;
	}
	return false;
}

static void name_violation(struct run_violation *violation)
{
	uint32_t token = violation->architecture;
	char *name;

	if (name_function(violation))
		return;
	/* x32 is told apart by a bit of the number alone. */
	if (token == AUDIT_ARCH_X86_64 && (violation->number & X32_BIT))
		token = SCMP_ARCH_X32;
	name = seccomp_syscall_resolve_num_arch(token, (int)violation->number);
	strncpy(violation->name, name ? name : "", sizeof(violation->name) - 1);
	free(name);
}

static void refuse(struct run *run, const struct seccomp_data *data)
{
	struct run_violation *violation = &run->result.violation;

	*violation = (struct run_violation){
		.number = data->nr,
		.architecture = data->arch,
	};
	for (size_t i = 0; i < 6; i++)
		violation->arguments[i] = data->args[i];
	name_violation(violation);
	run_kill(run, RUN_VIOLATION);
}

static void answer_exit(struct run *run, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	const struct progress *progress = run->request->progress;
	struct proc_memory memory;

	(void)read_figures(run, asked->id, &memory);
	run->runner_end =
		asked->data.instruction_pointer == run->request->runner_exit &&
		asked->data.args[0] == RUNNER_EXIT_CODE &&
		run_peek(&progress->done) == run->end - run->first;
	answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
}

static void answer_crash(struct run *run, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	const struct crash_report *report = &run->request->progress->crash;
	const __u64 *facts = asked->data.args;
	struct run_result *result = &run->result;
	struct proc_memory memory;

	(void)answer; /* 0 */
	if (run->n_crashes++ == CRASHES_MAX) {
		refuse(run, &asked->data);
		return;
	}
	(void)read_figures(run, asked->id, &memory);
	result->crash_known = true;
	result->crash_signal = (int)(facts[0] & 0xffffffffu);
	result->crash_code = (int)(facts[0] >> 32);
	result->crash_address = facts[1];
	result->crash_pc = facts[2];
	result->crash_sp = facts[3];
	result->stack_top = run_peek(&report->stack_top);
	result->crash_write = facts[4] & 2;
	result->n_frames = facts[5];
	if (result->n_frames > sizeof(report->frames) / sizeof(uint64_t))
		result->n_frames = 0;
	for (size_t i = 0; i < result->n_frames; i++)
		result->frames[i] = run_peek(&report->frames[i]);
	for (size_t i = 0; i < CRASH_NOTES; i++)
		result->notes[i] = run_peek(&report->notes[i]);
}

/* mmap() and mremap() of large blocks. */
static void answer_memory(struct run *run, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	const bool grows = asked->data.nr == SYS_mremap;
	const uint64_t wanted = asked->data.args[grows ? 2 : 1];
	const uint64_t had = grows ? asked->data.args[1] : 0;
	const uint64_t room =
		run->space_bytes - run->request->limits.stack_bytes;
	struct proc_memory memory;
	bool known;

	answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (wanted <= had)
		return;
	known = read_figures(run, asked->id, &memory);
	/* Without figures the kernel's own limit must do, but for what can
	   never fit. */
	if (wanted - had <= room &&
		(!known ||
			(memory.size_kib - memory.stack_kib) * KIB <=
				room - (wanted - had)))
		return;
	run->result.memory_refused = wanted;
	run->refused_at = run_peek(&run->request->progress->current);
	answer->flags = 0;
	answer->error = -ENOMEM;
}

/* abort() sends SIGABRT to its own thread; one aimed elsewhere is refused. */
static void answer_signal(struct run *run, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	const uint64_t pid = (uint64_t)run->child.pid;
	const __u64 *arguments = asked->data.args;

	if (arguments[0] != pid ||
		(asked->data.nr == SYS_tgkill && arguments[1] != pid)) {
		refuse(run, &asked->data);
		return;
	}
	run->aborted = true;
	answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
}

/* Each is one that policy.c asks about, with the arguments it says there. */
static const struct {
	int call;
	void (*answer)(struct run *run, const struct seccomp_notif *asked,
		struct seccomp_notif_resp *answer);
} answers[] = {
	{SYS_exit_group, answer_exit},
	{CRASH_REPORT_CALL, answer_crash},
	{SYS_mmap, answer_memory},
	{SYS_mremap, answer_memory},
	{SYS_tkill, answer_signal},
	{SYS_tgkill, answer_signal},
};

static void decide(struct run *run, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	uint64_t arguments[6];

	for (size_t i = 0; i < 6; i++)
		arguments[i] = asked->data.args[i];
	if (asked->data.arch == AUDIT_ARCH_X86_64 &&
		policy_asks(asked->data.nr, arguments))
		for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]);
			i++)
			if (answers[i].call == asked->data.nr) {
				answers[i].answer(run, asked, answer);
				return;
			}
	refuse(run, &asked->data);
}

static bool answer_next(struct run *run, struct error *err)
{
	/* A newer kernel may have longer ones; layers.c sees that they fit. */
	union {
		struct seccomp_notif notif;
		char bytes[NOTIFICATION_BYTES_MAX];
	} asked = {.bytes = {0}};
	union {
		struct seccomp_notif_resp resp;
		char bytes[NOTIFICATION_BYTES_MAX];
	} answer = {.bytes = {0}};

	if (ioctl(run->child.listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
		/* Killed in between, or we were interrupted. */
		if (errno == ENOENT || errno == EINTR)
			return true;
		return error_set_errno(err, "cannot hear a system call");
	}
	answer.resp.id = asked.notif.id;
	if (!still_asks(run, asked.notif.id)) {
		if (errno == ENOENT) /* killed in between */
			return true;
		return error_set_errno(err, "cannot tell a system call");
	}
	decide(run, &asked.notif, &answer.resp);
	if (run->decided)
		return true;
	if (ioctl(run->child.listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) !=
			0 &&
		errno != ENOENT)
		return error_set_errno(err, "cannot answer a system call");
	return true;
}

/*
 * An answer costs us several times what the question costs the child.  So it is
 * the child that pays: asking without end takes no longer than computing.
 */
bool run_answer(struct run *run, struct error *err)
{
	const uint64_t before = clock_read_us(CLOCK_THREAD_CPUTIME_ID);
	const bool good = answer_next(run, err);

	run->asked_cpu += clock_read_us(CLOCK_THREAD_CPUTIME_ID) - before;
	return good;
}

/*
 * Both take turns: waking each other on the same CPU costs a fraction of
 * waking another one.  Kernels before 6.6 do not know of it.
 */
void run_answer_prepare(const struct run *run)
{
	if (run->child.listener >= 0)
		ioctl(run->child.listener, NOTIF_SET_FLAGS, NOTIF_SYNC_WAKE_UP);
}
