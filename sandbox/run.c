/* SPDX-License-Identifier: MIT */

/*
 * Theory of operation.
 *
 * The child cannot block: every call that could is refused.  So it either
 * computes, which costs CPU, or it is about to tell us something: a call that
 * the filter puts to us (the listener), or its end (the pidfd).  We sleep until
 * either speaks or it is time to look at its CPU clock.  There are no timers,
 * no signals and no handshake between calls: which call it is in, it writes
 * into memory that we share.
 *
 * That memory is the child's to forge.  Counting up forever, it gains CPU up to
 * the limit of the whole process, which it could have used anyway.
 *
 * Memory is limited by RLIMIT_AS: the program's image, the plan, the stack's
 * limit and what the caller grants.  Requests of POLICY_LARGE_BYTES and more
 * are put to us, and refused by us in exact bytes; smaller ones the kernel
 * refuses, which shows in how close to the limit the process came.
 */

#include "sandbox/run.h"
#include "base/clock.h"
#include "base/embedded.h"
#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/proc.h"
#include "sandbox/protocol.h"
#include "sandbox/space.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a control group counts besides what the program has in its address space
   and its text: page tables and the like. */
#define KERNEL_BYTES ((uint64_t)8 << 20)

enum {
	FDS_MAX = 16, /* the listener's is among them until exec */
	TICKS = 8,    /* looks at the clock per limit, at least */
	US_PER_MS = 1000,
	US_PER_S = 1000000,
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void run_kill(struct run *run, enum run_end end)
{
	if (run->decided)
		return;
	run->decided = true;
	run->result.end = end;
	spawn_kill(&run->child);
}

/* Time ------------------------------------------------------------------ */

/* When to look next: CPU cannot run faster than the clock on the wall. */
static void schedule_look(struct run *run, uint64_t now)
{
	const struct run_limits *limits = &run->request->limits;
	const uint64_t call_limit = limits->cpu_call_ms * US_PER_MS;
	const uint64_t total_limit = limits->cpu_total_ms * US_PER_MS;
	uint64_t wait = smaller(call_limit / TICKS, total_limit - run->cpu);

	wait = smaller(wait, run->call_cpu + call_limit - run->cpu);
	wait = smaller(wait, run->sandbox->patience_ms * US_PER_MS / 2);
	if (run->request->deadline_ms)
		wait = smaller(wait,
			run->start_wall +
				run->request->deadline_ms * US_PER_MS - now);
	run->next_look_wall = now + (wait > US_PER_MS ? wait : US_PER_MS);
}

/* Looks at the child's clock and its counter, and kills it if need be. */
static void look(struct run *run, uint64_t now)
{
	const struct run_limits *limits = &run->request->limits;
	const uint64_t deadline = run->request->deadline_ms * US_PER_MS;
	const uint64_t cpu = clock_read_us(run->cpu_clock) + run->asked_cpu;
	const uint64_t call = run_peek(&run->request->progress->current);

	if (cpu > run->cpu) {
		run->cpu = cpu;
		run->moving_wall = now;
	}
	if (call > run->call) {
		/* The first call's time is known from its start. */
		run->call_cpu = call == 1 ? 0 : run->cpu;
		run->call = call;
	}
	run->stuck =
		now - run->moving_wall >= run->sandbox->patience_ms * US_PER_MS;
	if (run->cpu >= limits->cpu_total_ms * US_PER_MS)
		run_kill(run, RUN_CPU_TOTAL);
	else if (run->cpu - run->call_cpu >= limits->cpu_call_ms * US_PER_MS)
		run_kill(run, RUN_CPU_CALL);
	else if (run->stuck || (deadline && now - run->start_wall >= deadline))
		run_kill(run, RUN_STARVED);
	else
		schedule_look(run, now);
}

/* The run --------------------------------------------------------------- */

/* Until the child is dead, by us or by itself. */
static bool watch(struct run *run, struct error *err)
{
	struct pollfd fds[] = {
		{.fd = run->child.pidfd, .events = POLLIN},
		{.fd = run->child.listener, .events = POLLIN},
		{.fd = run->request->cancel, .events = POLLIN},
	};

	for (;;) {
		uint64_t now = clock_read_us(CLOCK_MONOTONIC);
		struct timespec wait;
		uint64_t us;

		if (!run->decided && now >= run->next_look_wall)
			look(run, now);
		us = now < run->next_look_wall ? run->next_look_wall - now : 0;
		wait = (struct timespec){
			.tv_sec = (time_t)(us / US_PER_S),
			.tv_nsec = (long)(us % US_PER_S) * 1000,
		};
		if (run->decided) {
			/* Only its end is of interest, and it is near. */
			fds[1].fd = -1;
			fds[2].fd = -1;
		}
		if (ppoll(fds, 3, run->decided ? NULL : &wait, NULL) < 0) {
			if (errno == EINTR)
				continue;
			return error_set_errno(err, "cannot watch the jail");
		}
		if (fds[2].revents) {
			run->cancelled = true;
			run_kill(run, RUN_KILLED);
			continue;
		}
		if ((fds[1].revents & POLLIN) && !run_answer(run, err))
			return false;
		/* A dying child hangs up before its death can be seen: what is
		   left to wait for would otherwise be waited for busily. */
		if ((fds[1].revents & (POLLIN | POLLHUP)) == POLLHUP)
			fds[1].fd = -1;
		if (fds[0].revents & POLLIN)
			return true;
	}
}

/* Where it was, for words: the counters are the child's to forge. */
static void locate(struct run *run)
{
	const struct progress *progress = run->request->progress;
	const uint64_t count = run->end - run->first;
	const uint64_t begun = smaller(run_peek(&progress->current), count);
	const uint64_t done = run_peek(&progress->done);

	run->result.in_call = begun > 0 && done == begun - 1;
	run->result.call = run->first + (begun ? begun - 1 : 0);
}

static enum run_end end_of_signal(const struct run *run, int number)
{
	const uint64_t total = run->request->limits.cpu_total_ms * US_PER_MS;

	switch (number) {
	case SIGXFSZ:
		return RUN_TEXT_LIMIT;
	case SIGABRT:
		return run->aborted ? RUN_ABORTED : RUN_SIGNALED;
	case SIGSYS:
		/* Only a filter that cannot ask kills like this. */
		return RUN_VIOLATION;
	case SIGXCPU:
	case SIGKILL:
		return run->result.cpu_us >= total ? RUN_CPU_TOTAL : RUN_KILLED;
	default:
		return RUN_SIGNALED;
	}
}

/* The handler's report, if it is of the signal that the process died of. */
static void match_crash(struct run *run)
{
	struct run_result *result = &run->result;
	const struct crash_report *report = &run->request->progress->crash;

	if (!result->crash_known && !run->sandbox->listens &&
		report->signal != 0) {
		result->crash_known = true;
		result->crash_signal = report->signal;
		result->crash_code = report->code;
		result->crash_address = report->address;
		result->crash_pc = report->pc;
		result->crash_sp = report->sp;
		result->stack_top = report->stack_top;
		result->crash_write = report->fault_bits & 2;
		result->n_frames = smaller(report->n_frames,
			sizeof(report->frames) / sizeof(uint64_t));
		for (size_t i = 0; i < result->n_frames; i++)
			result->frames[i] = report->frames[i];
		memcpy(result->notes, report->notes, sizeof(result->notes));
	}
	if ((result->end != RUN_SIGNALED && result->end != RUN_ABORTED) ||
		result->crash_signal != result->signal)
		result->crash_known = false;
}

/*
 * A small request that the kernel refused leaves no trace but this: there was
 * no room for a page more than what is missing to the limit.
 */
static void infer_refusal(struct run *run)
{
	struct run_result *result = &run->result;

	if (result->memory_refused || result->end == RUN_FINISHED ||
		run->space_peak_bytes + POLICY_LARGE_BYTES < run->space_bytes)
		return;
	result->memory_refused = run->space_bytes -
		smaller(run->space_peak_bytes, run->space_bytes - 1);
}

static bool ran_out_of_memory(const struct run *run)
{
	const struct cgroup *group = &run->sandbox->run_slot.cgroup;

	return group->folder >= 0 && cgroup_ran_out(group);
}

static bool conclude(struct run *run, struct error *err)
{
	struct run_result *result = &run->result;
	const struct progress *progress = run->request->progress;
	int status;

	if (!spawn_wait(&run->child, &status, &result->cpu_us, err))
		return false;
	result->cpu_us += run->asked_cpu;
	/* What it used until we looked is our doing, and never the same. */
	if (run->decided && result->end == RUN_CPU_CALL)
		result->cpu_us = smaller(result->cpu_us,
			run->call_cpu +
				run->request->limits.cpu_call_ms * US_PER_MS);
	locate(run);
	/* A call that took no for an answer and went on has had it. */
	if (run_peek(&progress->current) != run->refused_at)
		result->memory_refused = 0;
	if (WIFSIGNALED(status))
		result->signal = WTERMSIG(status);
	if (run->decided) {
		match_crash(run);
		return true;
	}
	if (WIFSIGNALED(status)) {
		result->end = end_of_signal(run, result->signal);
		if (result->end == RUN_KILLED && ran_out_of_memory(run))
			result->end = RUN_MEMORY;
		if (result->end == RUN_VIOLATION)
			result->violation.number = -1;
	} else {
		if (!run->sandbox->listens)
			run->runner_end =
				WEXITSTATUS(status) == RUNNER_EXIT_CODE &&
				progress->done == run->end - run->first;
		result->exit_code = WEXITSTATUS(status);
		result->end = run->runner_end ? RUN_FINISHED : RUN_EXITED;
	}
	match_crash(run);
	infer_refusal(run);
	return true;
}

static bool start(struct run *run, uint64_t text_bytes, struct error *err)
{
	char name[] = "solution";
	char *const argv[] = {name, NULL};
	char *const envp[] = {NULL};
	const struct run_request *request = run->request;
	const struct run_limits *limits = &request->limits;
	struct sandbox *sandbox = run->sandbox;
	const struct slot *slot = &sandbox->run_slot;
	/* A backstop, in whole seconds, behind the total that we watch. */
	const uint64_t cpu_s = limits->cpu_total_ms / 1000 + 2;
	struct spawn_limit list[] = {
		SPAWN_LIMIT_EXACT(RLIMIT_AS, run->space_bytes),
		/* Of our own, a lower one would be unseen. */
		SPAWN_LIMIT_EXACT(RLIMIT_DATA, run->space_bytes),
		SPAWN_LIMIT_EXACT(RLIMIT_STACK, limits->stack_bytes),
		SPAWN_LIMIT_EXACT(RLIMIT_CPU, cpu_s),
		SPAWN_LIMIT_EXACT(
			RLIMIT_FSIZE, text_bytes + limits->text_bytes),
		SPAWN_LIMIT_EXACT(RLIMIT_NOFILE, FDS_MAX),
		SPAWN_LIMIT(RLIMIT_NPROC, 0),
		SPAWN_LIMIT(RLIMIT_CORE, 0),
		SPAWN_LIMIT(RLIMIT_MEMLOCK, 0),
		SPAWN_LIMIT(RLIMIT_MSGQUEUE, 0),
	};
	const int fds[] = {sandbox->null, request->text, request->text,
		request->plan, request->outputs};
	const struct spawn spawn = {
		.program = request->program,
		.argv = argv,
		.envp = envp,
		.fds = fds,
		.n_fds = sizeof(fds) / sizeof(fds[0]),
		.work_dir = -1,
		.limits = list,
		.n_limits = sizeof(list) / sizeof(list[0]),
		.change_ids = slot->change_ids,
		.uid = slot->uid,
		.gid = slot->gid,
		.fixed_addresses = sandbox->fixed_addresses,
		.cgroup = slot->cgroup.join,
		.landlock = sandbox->run_landlock,
		.filter = &sandbox->run_filter,
		.start_key = sandbox->start_key,
		.listen = sandbox->listens,
		.stack = slot->stack,
		.stack_bytes = slot->stack_bytes,
	};

	return spawn_start(&spawn, &run->child, err);
}

/* One process, from start to end.  text_bytes are in its text file before. */
static bool run_once(struct run *run, uint64_t text_bytes, struct error *err)
{
	struct progress *progress = run->request->progress;
	struct slot *slot = &run->sandbox->run_slot;
	bool good;

	*progress = (struct progress){.first = run->first, .end = run->end};
	if (slot->cgroup.join >= 0 &&
		!cgroup_limit(&slot->cgroup,
			run->space_bytes + run->request->limits.text_bytes +
				KERNEL_BYTES,
			err))
		return false;
	if (!start(run, text_bytes, err))
		return false;
	run->start_wall = clock_read_us(CLOCK_MONOTONIC);
	run->moving_wall = run->start_wall;
	run->proc_pid = proc_find(run->child.pidfd);
	if (clock_getcpuclockid(run->child.pid, &run->cpu_clock) != 0) {
		spawn_finish(&run->child);
		return error_set(
			err, ERROR_SYSTEM, "cannot find the jail's CPU clock");
	}
	schedule_look(run, run->start_wall);
	run_answer_prepare(run);
	good = watch(run, err) && conclude(run, err);
	spawn_finish(&run->child);
	if (good && run->cancelled)
		return error_set(err, ERROR_SYSTEM, "the run was cancelled");
	return good;
}

bool sandbox_run_program(struct sandbox *sandbox,
	const struct run_request *request, struct run_result *result_out,
	struct error *err)
{
	const uint64_t first = request->progress->first;
	const uint64_t end = request->progress->end;
	uint64_t space;
	struct stat text;

	assert(request->limits.cpu_call_ms && request->limits.cpu_total_ms);
	if (!sandbox_check_layers(sandbox, err) ||
		!space_measure(request->program, request->plan, &space, err))
		return false;
	if (fstat(request->text, &text) != 0)
		return error_set_errno(err, "cannot look up the text file");
	space += request->limits.stack_bytes + request->limits.memory_bytes;
	/* A machine that gave it no CPU at all gets a second chance. */
	for (int attempt = 0;; attempt++) {
		struct run run = {
			.sandbox = sandbox,
			.request = request,
			.child = {.pidfd = -1, .listener = -1},
			.first = first,
			.end = end,
			.space_bytes = space,
		};

		if (!run_once(&run, (uint64_t)text.st_size, err))
			return false;
		if (!run.stuck || attempt > 0) {
			*result_out = run.result;
			return true;
		}
		if (ftruncate(request->text, text.st_size) != 0)
			return error_set_errno(
				err, "cannot cut back the text file");
	}
}

const void *sandbox_runner_object(size_t *len_out)
{
	*len_out = (size_t)(embedded_runner_end - embedded_runner);
	return embedded_runner;
}
