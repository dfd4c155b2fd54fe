/* SPDX-License-Identifier: MIT */

/*
 * The compile jail: one tool, alone, from its start to its end.
 *
 * Its output comes through a pair of sockets.  They wake us for each piece, but
 * a compiler says little; and what it says beyond a limit is thrown away here,
 * where in a file it would take memory until the tool is done.  A pipe would do
 * but for /proc: #include "/proc/self/fd/1" opens its other end, and waits
 * there.  A socket cannot be opened by a name.
 */

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/spawn.h"
#include "sandbox/work_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	DESCRIPTORS_MAX = 64,
	DESCRIPTORS_MIN = 32,
	/* What gcc would give cc1, if it were let. */
	STACK_BYTES = 64 << 20,
	STACK_BYTES_MIN = 1 << 20,
	/* What the dynamic loader exits with; none of the tools does. */
	LOADER_FAILED = 127,
};

struct job {
	const struct tool *tool;
	struct spawn_child child;
	int file;              /* the one that it writes */
	int output;            /* the end that is read */
	int input;             /* the tool's; -1 once it has it */
	uint64_t output_bytes; /* read so far, kept or not */
	bool stopped_wall;
	bool stopped_output;
	bool cancelled;
	struct tool_result result;
};

static bool start(struct sandbox *sandbox, struct job *job, struct error *err)
{
	const struct tool *tool = job->tool;
	const struct slot *slot = &sandbox->tool_slot;
	const uint64_t cpu_s = (tool->limits.cpu_ms + 999) / 1000;
	CLEANUP(cleanup_close)
	int program = open(tool->path, O_PATH | O_CLOEXEC);
	const int fds[] = {sandbox->null, job->input, job->input};
	char locale[] = "LC_ALL=C";
	char *envp[] = {locale, NULL};
	const struct spawn_limit limits[] = {
		/* SIGXCPU tells of the limit; it could be ignored. */
		{RLIMIT_CPU, {.rlim_cur = cpu_s, .rlim_max = cpu_s + 1}, cpu_s},
		SPAWN_LIMIT_EXACT(RLIMIT_AS, tool->limits.memory_bytes),
		SPAWN_LIMIT_EXACT(RLIMIT_DATA, tool->limits.memory_bytes),
		SPAWN_LIMIT_EXACT(RLIMIT_FSIZE, tool->limits.file_bytes),
		SPAWN_LIMIT_FROM(RLIMIT_STACK, STACK_BYTES, STACK_BYTES_MIN),
		SPAWN_LIMIT_FROM(
			RLIMIT_NOFILE, DESCRIPTORS_MAX, DESCRIPTORS_MIN),
		SPAWN_LIMIT(RLIMIT_CORE, 0),
		SPAWN_LIMIT(RLIMIT_MEMLOCK, 0),
		SPAWN_LIMIT(RLIMIT_MSGQUEUE, 0),
	};
	const struct spawn spawn = {
		.program = program,
		.argv = tool->argv,
		.envp = envp,
		.fds = fds,
		.n_fds = sizeof(fds) / sizeof(*fds),
		.view = sandbox->tool_view.mount_ns >= 0 ? &sandbox->tool_view
							 : NULL,
		.work_dir = tool->work->fd,
		.limits = limits,
		.n_limits = sizeof(limits) / sizeof(*limits),
		.change_ids = slot->change_ids,
		.uid = slot->uid,
		.gid = slot->gid,
		.cgroup = -1,
		.landlock = sandbox->tool_landlock,
		.filter = &sandbox->tool_filter,
		.start_key = sandbox->start_key,
		.stack = slot->stack,
		.stack_bytes = slot->stack_bytes,
	};

	if (program < 0)
		return error_set_errno(err, "cannot open '%s'", tool->path);
	if (!spawn_start(&spawn, &job->child, err))
		return error_prefix(err, "cannot run '%s'", tool->path);
	return true;
}

/* Takes what there is; false once there is no more, or none now. */
static bool read_output(struct job *job)
{
	const struct tool_limits *limits = &job->tool->limits;
	struct tool_result *result = &job->result;
	char chunk[8192];
	size_t keep;
	ssize_t n;

	do
		n = read(job->output, chunk, sizeof(chunk));
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	keep = (size_t)n;
	if (keep > limits->diagnostic_bytes - result->diagnostics_len) {
		keep = limits->diagnostic_bytes - result->diagnostics_len;
		result->diagnostics_cut = true;
	}
	memcpy(result->diagnostics + result->diagnostics_len, chunk, keep);
	result->diagnostics_len += keep;
	job->output_bytes += (uint64_t)n;
	if (job->output_bytes > limits->output_bytes && !job->stopped_output) {
		job->stopped_output = true;
		spawn_kill(&job->child);
	}
	return true;
}

/*
 * Until the tool has ended, not merely closed its output: that alone would let
 * it sleep here for good.  Then all it wrote can be read, and nobody is left
 * to write more.
 */
static bool watch(struct job *job, struct error *err)
{
	enum { ENDED, OUTPUT, CANCEL, N_WATCHED };
	struct pollfd watched[N_WATCHED] = {
		[ENDED] = {.fd = job->child.pidfd, .events = POLLIN},
		[OUTPUT] = {.fd = job->output, .events = POLLIN},
		[CANCEL] = {.fd = job->tool->cancel, .events = POLLIN},
	};
	const uint64_t end = clock_read_us(CLOCK_MONOTONIC) / 1000 +
		job->tool->limits.wall_ms;

	while (!watched[ENDED].revents) {
		uint64_t now = clock_read_us(CLOCK_MONOTONIC) / 1000;
		bool late = now >= end;

		if (late && !job->stopped_wall) {
			job->stopped_wall = true;
			spawn_kill(&job->child);
		}
		int ready =
			poll(watched, N_WATCHED, late ? -1 : (int)(end - now));

		if (ready < 0 && errno != EINTR)
			return error_set_errno(err, "cannot watch the jail");
		if (ready <= 0)
			continue;
		if (watched[CANCEL].revents) {
			job->cancelled = true;
			watched[CANCEL].fd = -1;
			spawn_kill(&job->child);
		}
		/* Closed, it would be ready for ever. */
		if (watched[OUTPUT].revents && !read_output(job))
			watched[OUTPUT].fd = -1;
	}
	while (read_output(job))
		;
	return true;
}

static enum tool_end end_of(const struct job *job, int status)
{
	const struct tool_limits *limits = &job->tool->limits;

	if (!WIFSIGNALED(status))
		return TOOL_EXITED;
	if (job->stopped_output)
		return TOOL_OUTPUT_LIMIT;
	if (job->stopped_wall)
		return TOOL_WALL_LIMIT;
	switch (WTERMSIG(status)) {
	case SIGXCPU:
		return TOOL_CPU_LIMIT;
	case SIGXFSZ:
		return TOOL_FILE_LIMIT;
	case SIGSYS:
		return TOOL_REFUSED;
	case SIGKILL:
		if (job->result.cpu_us >= limits->cpu_ms * 1000)
			return TOOL_CPU_LIMIT;
		return TOOL_SIGNALED;
	default:
		return TOOL_SIGNALED;
	}
}

static bool reap(struct job *job, struct error *err)
{
	struct tool_result *result = &job->result;
	int status;

	if (!spawn_wait(&job->child, &status, &result->cpu_us, err))
		return error_prefix(err, "'%s'", job->tool->path);
	result->end = end_of(job, status);
	result->status =
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	result->diagnostics[result->diagnostics_len] = '\0';
	return true;
}

/* Failures that have nothing to do with what the tool was given. */
static bool check_end(const struct job *job, struct error *err)
{
	const struct tool_result *result = &job->result;
	const struct tool *tool = job->tool;

	if (job->cancelled)
		return error_set(err, ERROR_SYSTEM, "the build was cancelled");
	if (result->end == TOOL_EXITED && result->status == 0)
		return true;
	if (result->end == TOOL_EXITED && result->status == LOADER_FAILED)
		return error_set(err, ERROR_SYSTEM, "cannot run '%s': %.200s",
			tool->path, result->diagnostics);
	if (result->end == TOOL_SIGNALED && result->status == SIGKILL)
		return error_set(err, ERROR_SYSTEM,
			"'%s' was killed from outside, maybe for lack of "
			"memory",
			tool->path);
	if (!work_dir_has_room(tool->work, tool->limits.room_bytes))
		return error_set(err, ERROR_SYSTEM,
			"'%s' needs room to work: the disk of '%s' is full",
			tool->path, tool->work->path);
	return true;
}

static bool make_sockets(struct job *job, struct error *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return error_set_errno(err, "cannot make a pair of sockets");
	job->output = ends[0];
	job->input = ends[1];
	/* Nothing comes from us: whoever reads there finds the end. */
	if (shutdown(job->output, SHUT_WR) != 0 ||
		fcntl(job->output, F_SETFL, O_NONBLOCK) != 0)
		return error_set_errno(err, "cannot make a pair of sockets");
	return true;
}

static void close_input(struct job *job)
{
	if (job->input >= 0)
		close(job->input);
	job->input = -1;
}

static bool run(struct sandbox *sandbox, struct job *job, struct error *err)
{
	job->result.diagnostics =
		malloc(job->tool->limits.diagnostic_bytes + 1);
	if (!job->result.diagnostics)
		return error_set(err, ERROR_SYSTEM, "out of memory");
	if (!make_sockets(job, err) || !start(sandbox, job, err))
		return false;
	close_input(job);
	return watch(job, err) && reap(job, err) && check_end(job, err);
}

bool sandbox_run_tool(struct sandbox *sandbox, const struct tool *tool,
	struct tool_result *result_out, struct error *err)
{
	struct job job = {
		.tool = tool,
		.child = {.pidfd = -1, .listener = -1},
		.file = -1,
		.output = -1,
		.input = -1,
	};
	bool good;

	if (!sandbox_check_layers(sandbox, err) ||
		!work_dir_begin(tool->work, &sandbox->tool_slot, tool->output,
			&job.file, err))
		return false;
	good = run(sandbox, &job, err);
	spawn_finish(&job.child);
	/* Whatever came of it, the folder is ours again. */
	good = work_dir_end(tool->work, job.file, &job.result.output_bytes,
		       good ? err : &(struct error){0}) &&
		good;
	close_input(&job);
	if (job.output >= 0)
		close(job.output);
	if (!good) {
		tool_result_finish(&job.result);
		return false;
	}
	*result_out = job.result;
	return true;
}

void tool_result_finish(struct tool_result *result)
{
	free(result->diagnostics);
	*result = (struct tool_result){0};
}
