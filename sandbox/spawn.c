/* SPDX-License-Identifier: MIT */

/*
 * Theory of operation.
 *
 * The child is made by clone(CLONE_VM | CLONE_VFORK): no page table is copied,
 * and the caller stands still until the child has executed its program or is
 * dead.  Until then the child walks through the steps below on a stack of its
 * own, in the caller's memory, by raw system calls.  It must not call libc,
 * whose errno, locks and buffers are the caller's.  The step it is at is
 * memory, too: so the caller reads from it where things went wrong.
 */

#include "sandbox/spawn.h"
#include "base/error.h"
#include "sandbox/filter.h"
#include "sandbox/protocol.h"
#include "sandbox/raw.h"
#include "sandbox/view.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A descriptor that is to become a low one is first moved up here, out of the
 * way of the others; not so far that the child's table had to grow.
 */
enum {
	FD_LANDLOCK = 12,
	FD_MOVED = 16,
};

enum {
	SIGNAL_LAST = 64,
	/* The kernel's sigset_t, which is shorter than libc's. */
	KERNEL_SIGSET_BYTES = 8,
};

/* The kernel's struct sigaction. */
struct kernel_sigaction {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

/* What parent and child share. */
struct launch {
	const struct spawn *spawn;
	pid_t parent;
	int sockets[2]; /* the child's end first; -1 unless we listen */
	volatile size_t step;
	volatile long result; /* -errno of the step that failed */
};

/* The child's own: no sanitizer may look at its stack, which is not a thread's
   that it knows. */
#define IN_CHILD __attribute__((no_sanitize("address", "undefined")))

IN_CHILD static long reset_signals(struct launch *launch)
{
	const struct kernel_sigaction action = {0};
	const uint64_t none = 0;
	long result = 0;

	(void)launch;
	/* Handlers would run in the parent's memory, and what the parent
	   ignores (SIGXFSZ, say) would stay ignored. */
	for (int number = 1; number <= SIGNAL_LAST && result == 0; number++)
		if (number != SIGKILL && number != SIGSTOP)
			result = raw_call(SYS_rt_sigaction, number,
				(long)&action, 0, KERNEL_SIGSET_BYTES, 0);
	if (result != 0)
		return result;
	return raw_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0,
		KERNEL_SIGSET_BYTES, 0);
}

/* Away from the terminal: its ^C is for the grader. */
IN_CHILD static long leave_session(struct launch *launch)
{
	long result = raw_call(SYS_setsid, 0, 0, 0, 0, 0);

	(void)launch;
	return result < 0 ? result : 0;
}

/* Before the ids, as the next.  What counts is who executes the program: until
   then the child's memory is ours. */
IN_CHILD static long enter_cgroup(struct launch *launch)
{
	long result;

	if (launch->spawn->cgroup < 0)
		return 0;
	result = raw_call(SYS_write, launch->spawn->cgroup, (long)"0", 1, 0, 0);
	return result < 0 ? result : 0;
}

IN_CHILD static long enter_view(struct launch *launch)
{
	const struct view *view = launch->spawn->view;
	long result = 0;

	if (!view)
		return 0;
	if (view->user_ns >= 0)
		result = raw_call(
			SYS_setns, view->user_ns, CLONE_NEWUSER, 0, 0, 0);
	if (result == 0)
		result = raw_call(
			SYS_setns, view->mount_ns, CLONE_NEWNS, 0, 0, 0);
	return result;
}

/* With a view by its name there: the descriptor leads to our own files. */
IN_CHILD static long enter_work_dir(struct launch *launch)
{
	if (launch->spawn->view)
		return raw_call(SYS_chdir, (long)VIEW_WORK_FOLDER, 0, 0, 0, 0);
	if (launch->spawn->work_dir < 0)
		return 0;
	return raw_call(SYS_fchdir, launch->spawn->work_dir, 0, 0, 0, 0);
}

IN_CHILD static long place_fd(int from, int to, int flags)
{
	long result;

	if (from == to) /* dup3() refuses; it keeps its own flags */
		return raw_call(SYS_fcntl, to, F_SETFD,
			flags & O_CLOEXEC ? FD_CLOEXEC : 0, 0, 0);
	result = raw_call(SYS_dup3, from, to, flags, 0, 0);
	return result < 0 ? result : 0;
}

IN_CHILD static long move_up(int fd)
{
	return raw_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FD_MOVED, 0, 0);
}

IN_CHILD static long place_fds(struct launch *launch)
{
	const struct spawn *spawn = launch->spawn;
	const struct {
		int from, to;
	} own[] = {
		{spawn->program, FD_PROGRAM},
		{launch->sockets[0], FD_SOCKET},
		{spawn->landlock, FD_LANDLOCK},
	};
	const size_t n_own = sizeof(own) / sizeof(*own);
	const size_t n = spawn->n_fds + n_own;
	int moved[FD_MOVED];

	if (spawn->n_fds > FD_PROGRAM)
		return -EMFILE;
	for (size_t i = 0; i < n; i++) {
		int from = i < spawn->n_fds ? spawn->fds[i]
					    : own[i - spawn->n_fds].from;

		moved[i] = from;
		if (from < 0 || from >= FD_MOVED)
			continue;
		moved[i] = (int)move_up(from);
		if (moved[i] < 0)
			return moved[i];
	}
	for (size_t i = 0; i < n; i++) {
		bool listed = i < spawn->n_fds;
		int to = listed ? (int)i : own[i - spawn->n_fds].to;
		long result;

		/* What has nothing to be there must not inherit it either. */
		if (moved[i] < 0)
			result = raw_call(SYS_close, to, 0, 0, 0, 0);
		else
			result = place_fd(moved[i], to, listed ? 0 : O_CLOEXEC);
		if (result < 0 && result != -EBADF)
			return result;
	}
	return 0;
}

IN_CHILD static long close_rest(struct launch *launch)
{
	long first = (long)launch->spawn->n_fds;
	long result = 0;

	if (first < FD_PROGRAM)
		result = raw_call(
			SYS_close_range, first, FD_PROGRAM - 1, 0, 0, 0);
	if (result < 0)
		return result;
	return raw_call(SYS_close_range, FD_LANDLOCK + 1, UINT32_MAX, 0, 0, 0);
}

/* setresuid() and its kin from libc would change the parent's threads. */
IN_CHILD static long change_ids(struct launch *launch)
{
	const long uid = (long)launch->spawn->uid;
	const long gid = (long)launch->spawn->gid;
	long result;

	if (!launch->spawn->change_ids)
		return 0;
	result = raw_call(SYS_setgroups, 0, 0, 0, 0, 0);
	if (result == 0)
		result = raw_call(SYS_setresgid, gid, gid, gid, 0, 0);
	if (result == 0)
		result = raw_call(SYS_setresuid, uid, uid, uid, 0, 0);
	return result;
}

/* Nobody but root can raise a hard limit, which may be below what we want. */
IN_CHILD static long set_limit(const struct spawn_limit *limit)
{
	struct rlimit64 wanted = limit->limit;
	struct rlimit64 ours = {0};
	long result =
		raw_call(SYS_prlimit64, 0, limit->resource, 0, (long)&ours, 0);

	if (result < 0)
		return result;
	if (wanted.rlim_max > ours.rlim_max)
		wanted.rlim_max = ours.rlim_max;
	if (wanted.rlim_cur > wanted.rlim_max)
		wanted.rlim_cur = wanted.rlim_max;
	return raw_call(SYS_prlimit64, 0, limit->resource, (long)&wanted, 0, 0);
}

/* After the ids: a change of ids above RLIMIT_NPROC would forbid to execute. */
IN_CHILD static long set_limits(struct launch *launch)
{
	const struct spawn *spawn = launch->spawn;
	long result = 0;

	for (size_t i = 0; i < spawn->n_limits && result == 0; i++)
		result = set_limit(&spawn->limits[i]);
	return result;
}

/* A container's own filter may refuse it, which is no reason not to run:
   layers.c tells of it. */
IN_CHILD static long fix_addresses(struct launch *launch)
{
	if (launch->spawn->fixed_addresses)
		raw_call(SYS_personality, ADDR_NO_RANDOMIZE, 0, 0, 0, 0);
	return 0;
}

/* Capabilities, too: a root that cannot change its ids would keep its own, and
   without new privileges no program that it executes gives them back. */
IN_CHILD static long forbid_privileges(struct launch *launch)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {
		{0}};
	long result = raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

	(void)launch;
	if (result == 0)
		result = raw_call(
			SYS_capset, (long)&header, (long)none, 0, 0, 0);
	return result;
}

/* After the ids, whose change would clear it. */
IN_CHILD static long die_with_parent(struct launch *launch)
{
	long result = raw_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);

	if (result < 0)
		return result;
	/* The parent may have died before the call above. */
	if (raw_call(SYS_getppid, 0, 0, 0, 0, 0) != launch->parent)
		return -ESRCH;
	return 0;
}

IN_CHILD static long restrict_files(struct launch *launch)
{
	long result;

	if (launch->spawn->landlock < 0)
		return 0;
	result = raw_call(SYS_landlock_restrict_self, FD_LANDLOCK, 0, 0, 0, 0);
	if (result == 0)
		result = raw_call(SYS_close, FD_LANDLOCK, 0, 0, 0, 0);
	return result;
}

/* The last step that may fail by a call that the filter does not know. */
IN_CHILD static long load_filter(struct launch *launch)
{
	const struct spawn *spawn = launch->spawn;
	unsigned long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte = 0;
	struct iovec io = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {
		.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	long result;

	if (!spawn->filter)
		return 0;
	if (spawn->listen)
		flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
	result = raw_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, (long)flags,
		(long)spawn->filter, 0, 0);
	if (result < 0 || !spawn->listen)
		return result;
	control.header = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	};
	*(int *)CMSG_DATA(&control.header) = (int)result;
	result = raw_call(SYS_sendmsg, FD_SOCKET, (long)&message, 0, 0, 0);
	return result < 0 ? result : 0;
}

IN_CHILD static long execute(struct launch *launch)
{
	const struct spawn *spawn = launch->spawn;

	return raw_call(SYS_execveat,
		(long)filter_key_argument(spawn->start_key, 0, FD_PROGRAM),
		(long)"", (long)spawn->argv, (long)spawn->envp,
		(long)filter_key_argument(spawn->start_key, 1, AT_EMPTY_PATH));
}

static const struct step {
	const char *name; /* "cannot ..." */
	long (*run)(struct launch *launch);
} steps[] = {
	{"reset signals", reset_signals},
	{"leave the session", leave_session},
	{"enter its control group", enter_cgroup},
	{"enter its namespaces", enter_view},
	{"enter the work folder", enter_work_dir},
	{"place descriptors", place_fds},
	{"close descriptors", close_rest},
	{"change its ids", change_ids},
	{"set limits", set_limits},
	{"fix addresses", fix_addresses},
	{"give up privileges", forbid_privileges},
	{"be tied to its parent's life", die_with_parent},
	{"restrict itself with Landlock", restrict_files},
	{"load its system call filter", load_filter},
	{"execute the program", execute},
};

static const size_t n_steps = sizeof(steps) / sizeof(*steps);

/* Returns only to clone(), which leaves by an exit() that is never reached. */
IN_CHILD static int child_main(void *argument)
{
	struct launch *launch = argument;

	for (size_t i = 0; i < n_steps; i++) {
		launch->step = i;
		launch->result = steps[i].run(launch);
		if (launch->result < 0)
			break;
	}
	raw_call(SYS_exit_group, (long)SPAWN_EXIT_CODE, 0, 0, 0, 0);
	__builtin_unreachable();
}

/* Takes the listener that the child has sent; the message is there already. */
static bool receive_listener(int socket, int *listener_out, struct error *err)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char byte;
	struct iovec io = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {
		.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0)
		return error_set_errno(err, "cannot receive a listener");
	if (!CMSG_FIRSTHDR(&message) || control.header.cmsg_type != SCM_RIGHTS)
		return error_set(err, ERROR_SYSTEM,
			"cannot receive a listener: too many open files");
	memcpy(listener_out, CMSG_DATA(&control.header), sizeof(int));
	return true;
}

static bool start(
	struct launch *launch, struct spawn_child *child, struct error *err)
{
	const struct spawn *spawn = launch->spawn;
	sigset_t all, before;
	const int dumpable = prctl(PR_GET_DUMPABLE);
	int pidfd = -1;
	pid_t pid;
	int failure;

	/* No handler of ours may run in the child. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = clone(child_main, (char *)spawn->stack + spawn->stack_bytes,
		CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, launch, &pidfd);
	failure = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	/* A change of ids marks the memory, which was ours too. */
	if (spawn->change_ids || spawn->view)
		prctl(PR_SET_DUMPABLE, dumpable);
	if (pid < 0) {
		errno = failure;
		return error_set_errno(err, "cannot start a child");
	}
	child->pid = pid;
	child->pidfd = pidfd;
	if (launch->result < 0) {
		errno = (int)-launch->result;
		return error_set_errno(
			err, "the child cannot %s", steps[launch->step].name);
	}
	if (!spawn->listen)
		return true;
	return receive_listener(launch->sockets[1], &child->listener, err);
}

bool spawn_start(const struct spawn *spawn, struct spawn_child *child_out,
	struct error *err)
{
	struct spawn_child child = {.pidfd = -1, .listener = -1};
	struct launch launch = {
		.spawn = spawn,
		.parent = getpid(),
		.sockets = {-1, -1},
	};
	bool good;

	if (!spawn_check_limits(spawn, err))
		return false;
	if (spawn->listen &&
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			launch.sockets) != 0)
		return error_set_errno(err, "cannot make a pair of sockets");
	good = start(&launch, &child, err);
	if (spawn->listen) {
		close(launch.sockets[0]);
		close(launch.sockets[1]);
	}
	if (!good) {
		spawn_finish(&child);
		return false;
	}
	*child_out = child;
	return true;
}

void spawn_kill(const struct spawn_child *child)
{
	syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0);
}

static uint64_t us_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_usec;
}

bool spawn_wait(const struct spawn_child *child, int *status_out,
	uint64_t *cpu_us_out, struct error *err)
{
	struct rusage usage;
	int status;
	pid_t pid;

	do
		pid = wait4(child->pid, &status, 0, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return error_set_errno(err, "cannot wait for the jail");
	*status_out = status;
	*cpu_us_out = us_of(&usage.ru_utime) + us_of(&usage.ru_stime);
	return true;
}

void spawn_finish(struct spawn_child *child)
{
	siginfo_t info;

	if (child->pidfd >= 0) {
		/* Both fail for a child that has been waited for: so be it. */
		spawn_kill(child);
		while (waitid(P_PIDFD, (id_t)child->pidfd, &info, WEXITED) !=
				0 &&
			errno == EINTR)
			;
		close(child->pidfd);
	}
	if (child->listener >= 0)
		close(child->listener);
	*child = (struct spawn_child){.pidfd = -1, .listener = -1};
}
