/* SPDX-License-Identifier: MIT */
#include "sandbox/tool_policy.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/landlock.h"
#include "sandbox/protocol.h"
#include "sandbox/work_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The calls of cc1, as and ld, found by tracing them, and those that their
 * libraries make in other versions.  What is not listed fails with ENOSYS,
 * which all three take well; what only a taken-over tool would try ends it.
 */
#define RULE(name, with)                                                       \
	{                                                                      \
		.call = SYS_##name, .action = (with)                           \
	}
#define ALLOW(name) RULE(name, SCMP_ACT_ALLOW)
#define ALLOW_IF(name, count, ...)                                             \
	{                                                                      \
		.call = SYS_##name, .action = SCMP_ACT_ALLOW,                  \
		.n_conditions = (count), .conditions = {                       \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ANSWER(name, number) RULE(name, SCMP_ACT_ERRNO(number))
#define KILL(name) RULE(name, SCMP_ACT_KILL_PROCESS)

enum { SET_FS = 0x1002 };

static const struct filter_rule rules[] = {
	ALLOW(access),
	ALLOW(brk),
	ALLOW(close),
	ALLOW(exit_group),
	ALLOW(faccessat),
	ALLOW(faccessat2),
	ALLOW(fstat),
	ALLOW(ftruncate),
	ALLOW(getegid),
	ALLOW(geteuid),
	ALLOW(getgid),
	ALLOW(getpid),
	ALLOW(getrandom),
	ALLOW(getrlimit),
	ALLOW(getrusage),
	ALLOW(gettid),
	ALLOW(gettimeofday),
	ALLOW(getuid),
	ALLOW(lseek),
	ALLOW(lstat),
	ALLOW(madvise),
	ALLOW(mmap),
	ALLOW(mprotect),
	ALLOW(mremap),
	ALLOW(munmap),
	ALLOW(newfstatat),
	ALLOW(open),
	ALLOW(openat),
	ALLOW(pread64),
	ALLOW(read),
	ALLOW(readv),
	ALLOW(rseq),
	ALLOW(rt_sigaction),
	ALLOW(rt_sigprocmask),
	ALLOW(rt_sigreturn),
	ALLOW(set_robust_list),
	ALLOW(set_tid_address),
	ALLOW(sigaltstack),
	ALLOW(stat),
	ALLOW(sysinfo),
	ALLOW(times),
	ALLOW(umask),
	ALLOW(write),
	ALLOW(writev),
	/* Its own start, and no other one. */
	{
		.call = SYS_execveat,
		.action = SCMP_ACT_ALLOW,
		.n_conditions = 2,
		.conditions = {FILTER_KEYED(0, FD_PROGRAM),
			FILTER_KEYED(4, AT_EMPTY_PATH)},
		.keyed = true,
	},
	/* Its own clocks. */
	ALLOW_IF(clock_gettime, 1, FILTER_NOT_NEGATIVE(0)),
	/* Limits can be read, not set. */
	ALLOW_IF(prlimit64, 2, FILTER_INT(0, 0), FILTER_LONG(2, 0)),
	ALLOW_IF(arch_prctl, 1, FILTER_INT(0, SET_FS)),
	/* A tool has one thread: whoever waited would wait for ever. */
	ALLOW_IF(
		futex, 1, FILTER_BITS(1, (uint32_t)FUTEX_CMD_MASK, FUTEX_WAKE)),
	/* Other commands could make somebody else get signals. */
	ALLOW_IF(fcntl, 1, FILTER_INT(1, F_DUPFD)),
	ALLOW_IF(fcntl, 1, FILTER_INT(1, F_DUPFD_CLOEXEC)),
	ALLOW_IF(fcntl, 1, FILTER_INT(1, F_GETFD)),
	ALLOW_IF(fcntl, 1, FILTER_INT(1, F_SETFD)),
	ALLOW_IF(fcntl, 1, FILTER_INT(1, F_GETFL)),

	/*
	 * Answered without being made.  That there is no current folder keeps
	 * its name out of the debug data, which then is the same each time;
	 * that nothing is a link keeps the machine's links to itself.
	 */
	ANSWER(getcwd, ENOENT),
	ANSWER(readlink, EINVAL),
	ANSWER(readlinkat, EINVAL),
	ANSWER(ioctl, ENOTTY),
	/* as and ld first remove what they are to write, and do without. */
	ANSWER(unlink, EACCES),
	ANSWER(unlinkat, EACCES),
	ANSWER(chmod, 0), /* of what ld has linked */
	ANSWER(fchmod, 0),
	ANSWER(fchmodat, 0),

	KILL(accept),
	KILL(accept4),
	KILL(add_key),
	KILL(bind),
	KILL(bpf),
	KILL(chroot),
	KILL(clone),
	KILL(clone3),
	KILL(connect),
	KILL(execve),
	KILL(fork),
	KILL(init_module),
	KILL(finit_module),
	KILL(io_uring_enter),
	KILL(io_uring_register),
	KILL(io_uring_setup),
	KILL(kexec_load),
	KILL(keyctl),
	KILL(kill),
	KILL(link),
	KILL(linkat),
	KILL(listen),
	KILL(mkdir),
	KILL(mkdirat),
	KILL(mknod),
	KILL(mknodat),
	KILL(mount),
	KILL(mq_open),
	KILL(msgget),
	KILL(open_by_handle_at),
	KILL(perf_event_open),
	KILL(personality),
	KILL(pidfd_open),
	KILL(pidfd_send_signal),
	KILL(pivot_root),
	KILL(prctl),
	KILL(process_vm_readv),
	KILL(process_vm_writev),
	KILL(ptrace),
	KILL(reboot),
	KILL(request_key),
	KILL(rt_sigqueueinfo),
	KILL(rt_tgsigqueueinfo),
	KILL(seccomp),
	KILL(semget),
	KILL(sendmsg),
	KILL(sendto),
	KILL(setgid),
	KILL(setns),
	KILL(setpgid),
	KILL(setsid),
	KILL(setuid),
	KILL(shmget),
	KILL(socket),
	KILL(socketpair),
	KILL(symlink),
	KILL(symlinkat),
	KILL(tgkill),
	KILL(timer_create),
	KILL(tkill),
	KILL(umount2),
	KILL(unshare),
	KILL(userfaultfd),
	KILL(vfork),
};

const struct filter_rule *tool_policy_rules(size_t *count_out)
{
	*count_out = sizeof(rules) / sizeof(*rules);
	return rules;
}

bool tool_policy_build(
	uint64_t key, struct sock_fprog *filter_out, struct error *err)
{
	return filter_build(rules, sizeof(rules) / sizeof(*rules),
		TOOL_POLICY_OTHERWISE, key, filter_out, err);
}

/* The file view ---------------------------------------------------------- */

/* The headers of older distributions end before this one. */
#define FS_TRUNCATE (UINT64_C(1) << 14)

#define READ_FILE (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE)
#define READ_TREE (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* Of what is there: no file can be made or removed. */
#define WRITE_TREE                                                             \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |          \
		LANDLOCK_ACCESS_FS_WRITE_FILE)

enum { ABI_WITH_TRUNCATE = 3 };

/* Layers. */
#define BY_MOUNTS "compiler namespaces"
#define BY_RULES "compiler landlock"

static bool allow(int ruleset, int fd, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights,
		.parent_fd = fd,
	};

	return syscall(SYS_landlock_add_rule, ruleset,
		       LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

static bool allow_reading(int ruleset, const char *path, struct error *err)
{
	CLEANUP(cleanup_close) int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat info;

	/* Of a folder as well as of a file: /usr/include may be a link. */
	if (fd < 0 || fstat(fd, &info) != 0 ||
		!allow(ruleset, fd,
			S_ISDIR(info.st_mode) ? READ_TREE : READ_FILE))
		return error_set_errno(
			err, "cannot let the compile jail see '%s'", path);
	return true;
}

static bool allow_all(int ruleset, int abi, const struct work_dir *work,
	const char *const *reads, struct error *err)
{
	uint64_t rights = abi >= ABI_WITH_TRUNCATE ? WRITE_TREE | FS_TRUNCATE
						   : WRITE_TREE;

	if (!allow(ruleset, work->fd, rights))
		return error_set_errno(
			err, "cannot let the compile jail see its folder");
	for (; *reads; reads++)
		if (!allow_reading(ruleset, *reads, err))
			return false;
	return true;
}

/* Why the tools have no rules, or "". */
static void make_rules(struct sandbox *sandbox, const char *const *reads,
	char *reason, size_t size)
{
	const int abi = sandbox->landlock_abi;
	struct error err = {0};

	reason[0] = '\0';
	if (sandbox_leaves_out(sandbox, BY_RULES)) {
		snprintf(reason, size, "%s", LEFT_OUT);
		return;
	}
	if (abi == 0) {
		snprintf(reason, size, "there is no Landlock");
		return;
	}
	sandbox->tool_landlock = landlock_create(abi, &err);
	if (sandbox->tool_landlock >= 0 &&
		allow_all(sandbox->tool_landlock, abi, &sandbox->work, reads,
			&err))
		return;
	snprintf(reason, size, "%.*s", (int)size - 1, err.message);
	if (sandbox->tool_landlock >= 0)
		close(sandbox->tool_landlock);
	sandbox->tool_landlock = -1;
}

/* Why the tools have no mount namespace, or "". */
static void make_view(struct sandbox *sandbox, const char *const *reads,
	char *reason, size_t size)
{
	/* A user namespace has no other user than the one that made it. */
	const struct slot *slot = &sandbox->tool_slot;
	struct error err = {0};

	reason[0] = '\0';
	if (sandbox_leaves_out(sandbox, BY_MOUNTS))
		snprintf(reason, size, "%s", LEFT_OUT);
	else if (!view_create(sandbox->work.path, reads,
			 slot->change_ids ? 0 : slot->uid, &sandbox->tool_view,
			 &err))
		/* Landlock's no differs from that of a file that is absent. */
		snprintf(reason, size,
			"%.80s: a submission can tell which files exist",
			err.message);
}

static void add_views(struct sandbox *sandbox, const char *const *reads)
{
	char no_mounts[sizeof(((struct layer *)0)->reason)];
	char no_rules[sizeof(((struct layer *)0)->reason)];

	make_view(sandbox, reads, no_mounts, sizeof(no_mounts));
	make_rules(sandbox, reads, no_rules, sizeof(no_rules));
	sandbox_add_layer(
		sandbox, BY_MOUNTS, false, no_mounts[0] ? no_mounts : NULL);
	sandbox_add_layer(
		sandbox, BY_RULES, false, no_rules[0] ? no_rules : NULL);
	sandbox_add_layer(sandbox, "compiler file view", true,
		no_mounts[0] && no_rules[0]
			? "neither namespaces nor Landlock: a compiler could "
			  "read any file"
			: NULL);
}

/* Else it is not a layer that is wanting. */
static bool can_read(const char *const *reads, struct error *err)
{
	for (; *reads; reads++)
		if (access(*reads, R_OK) != 0)
			return error_set_errno(err,
				"cannot let the compile jail see '%s'", *reads);
	return true;
}

static bool tool_policy_prepare(struct sandbox *sandbox, struct error *err)
{
	static const char *const nothing[] = {NULL};
	const char *const *reads = sandbox->options->tool_reads;

	if (!reads)
		reads = nothing;
	if (!can_read(reads, err))
		return false;
	add_views(sandbox, reads);
	/* Where nothing is run, the layers can still be shown. */
	if (!sandbox_check_layers(sandbox, &(struct error){0}))
		return true;
	return tool_policy_build(
		sandbox->start_key, &sandbox->tool_filter, err);
}

static void tool_policy_finish(struct sandbox *sandbox)
{
	filter_finish(&sandbox->tool_filter);
	view_finish(&sandbox->tool_view);
	if (sandbox->tool_landlock >= 0)
		close(sandbox->tool_landlock);
	sandbox->tool_landlock = -1;
}

const struct sandbox_part sandbox_part_tool_policy = {
	.prepare = tool_policy_prepare,
	.finish = tool_policy_finish,
};
