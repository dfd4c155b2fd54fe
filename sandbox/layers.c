/* SPDX-License-Identifier: MIT */

/*
 * What of our protection this machine gives, found out by trying it.
 *
 * One throw-away child walks through the probes, each of which sets something
 * up and sees whether it holds; a second one executes a tiny program from a
 * sealed memory file, which looks at what it has been given, while we look at
 * what we can know of it and do to it.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/landlock.h"
#include "sandbox/layers_program.h"
#include "sandbox/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum {
	PROBE_ERRNO = 77, /* no call fails with it by itself */
	PROBE_FD = 40,
	PROBE_BYTES = 1 << 20,
	KERNEL_SIGSET_BYTES = 8,
	NOT_HELD = -4000, /* set up, and without effect */
};

/* personality() of this changes nothing, and tells. */
#define ASK_PERSONALITY 0xffffffff

/* In the child of probe_all(): raw system calls alone. */
#define IN_CHILD __attribute__((no_sanitize("address", "undefined")))

IN_CHILD static long change_ids(const struct sandbox *sandbox)
{
	const struct slot *slot = &sandbox->run_slot;
	const long uid = (long)slot->uid, gid = (long)slot->gid;
	long result = raw_call(SYS_setgroups, 0, 0, 0, 0, 0);

	if (result == 0)
		result = raw_call(SYS_setresgid, gid, gid, gid, 0, 0);
	if (result == 0)
		result = raw_call(SYS_setresuid, uid, uid, uid, 0, 0);
	if (result == 0 && raw_call(SYS_getuid, 0, 0, 0, 0, 0) != uid)
		result = NOT_HELD;
	return result;
}

IN_CHILD static long forbid_privileges(const struct sandbox *sandbox)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {{0}};
	long result = raw_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

	(void)sandbox;
	if (result == 0 &&
		raw_call(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		result = NOT_HELD;
	if (result == 0)
		result = raw_call(
			SYS_capset, (long)&header, (long)rights, 0, 0, 0);
	if (result == 0)
		result = raw_call(
			SYS_capget, (long)&header, (long)rights, 0, 0, 0);
	if (result == 0 && (rights[0].permitted || rights[1].permitted))
		result = NOT_HELD;
	return result;
}

IN_CHILD static long limit_space(const struct sandbox *sandbox)
{
	const struct rlimit64 limit = {.rlim_cur = 4096, .rlim_max = 4096};
	long result = raw_call(SYS_prlimit64, 0, RLIMIT_AS, (long)&limit, 0, 0);

	(void)sandbox;
	if (result == 0 &&
		raw_call6(SYS_mmap, 0, PROBE_BYTES, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != -ENOMEM)
		result = NOT_HELD;
	return result;
}

IN_CHILD static long restrict_files(const struct sandbox *sandbox)
{
	long result = raw_call(
		SYS_landlock_restrict_self, sandbox->run_landlock, 0, 0, 0, 0);

	if (result == 0 &&
		raw_call(SYS_openat, AT_FDCWD, (long)"/",
			O_RDONLY | O_DIRECTORY, 0, 0) != -EACCES)
		result = NOT_HELD;
	return result;
}

IN_CHILD static long close_descriptors(const struct sandbox *sandbox)
{
	long result =
		raw_call(SYS_dup3, sandbox->null, PROBE_FD, O_CLOEXEC, 0, 0);

	if (result >= 0)
		result = raw_call(
			SYS_close_range, PROBE_FD, UINT32_MAX, 0, 0, 0);
	if (result == 0 &&
		raw_call(SYS_fcntl, PROBE_FD, F_GETFD, 0, 0, 0) != -EBADF)
		result = NOT_HELD;
	return result;
}

/* A filter that makes getppid() fail; 0 is number in seccomp_data. */
IN_CHILD static long load_filter(long flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | PROBE_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};

	return raw_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags,
		(long)&program, 0, 0);
}

IN_CHILD static long filter_calls(const struct sandbox *sandbox)
{
	long result = load_filter(SECCOMP_FILTER_FLAG_SPEC_ALLOW);

	(void)sandbox;
	if (result == 0 && raw_call(SYS_getppid, 0, 0, 0, 0, 0) != -PROBE_ERRNO)
		result = NOT_HELD;
	return result;
}

IN_CHILD static long listen_to_calls(const struct sandbox *sandbox)
{
	struct seccomp_notif_sizes sizes = {0};
	long result = raw_call(
		SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, (long)&sizes, 0, 0);

	(void)sandbox;
	if (result == 0 &&
		(sizes.seccomp_notif > NOTIFICATION_BYTES_MAX ||
			sizes.seccomp_notif_resp > NOTIFICATION_BYTES_MAX))
		result = -EMSGSIZE;
	if (result == 0)
		result = load_filter(SECCOMP_FILTER_FLAG_SPEC_ALLOW |
			SECCOMP_FILTER_FLAG_NEW_LISTENER);
	return result < 0 ? result : 0;
}

IN_CHILD static long fix_addresses(const struct sandbox *sandbox)
{
	long result = raw_call(SYS_personality, ADDR_NO_RANDOMIZE, 0, 0, 0, 0);

	(void)sandbox;
	if (result >= 0 &&
		raw_call(SYS_personality, ASK_PERSONALITY, 0, 0, 0, 0) !=
			ADDR_NO_RANDOMIZE)
		return NOT_HELD;
	return result < 0 ? result : 0;
}

enum probe_id {
	PROBE_ADDRESSES,
	PROBE_UID,
	PROBE_PRIVILEGES,
	PROBE_LIMITS,
	PROBE_LANDLOCK,
	PROBE_DESCRIPTORS,
	PROBE_SECCOMP,
	PROBE_LISTENER,
	N_PROBES,
};

/* In an order in which none is in the way of a later one. */
static long (*const probes[N_PROBES])(const struct sandbox *sandbox) = {
	[PROBE_ADDRESSES] = fix_addresses,
	[PROBE_UID] = change_ids,
	[PROBE_PRIVILEGES] = forbid_privileges,
	[PROBE_LIMITS] = limit_space,
	[PROBE_LANDLOCK] = restrict_files,
	[PROBE_DESCRIPTORS] = close_descriptors,
	[PROBE_SECCOMP] = filter_calls,
	[PROBE_LISTENER] = listen_to_calls,
};

struct probing {
	const struct sandbox *sandbox;
	struct error no_ruleset; /* of Landlock, where the kernel has it */
	const char *no_ids;      /* what the probe does not tell */
	volatile long results[N_PROBES]; /* 0, -errno or NOT_HELD */
};

IN_CHILD static int probing_child(void *argument)
{
	struct probing *probing = argument;

	for (int i = 0; i < N_PROBES; i++)
		probing->results[i] = probes[i](probing->sandbox);
	raw_call(SYS_exit_group, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

static bool probe_all(struct probing *probing, struct error *err)
{
	const struct sandbox *sandbox = probing->sandbox;
	const int dumpable = prctl(PR_GET_DUMPABLE);
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = clone(probing_child,
		(char *)sandbox->run_slot.stack + sandbox->run_slot.stack_bytes,
		CLONE_VM | CLONE_VFORK | SIGCHLD, probing);
	sigprocmask(SIG_SETMASK, &before, NULL);
	/* A change of ids marks the memory, which is ours too. */
	prctl(PR_SET_DUMPABLE, dumpable);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		return error_set_errno(err, "cannot start a child");
	return true;
}

/* The list --------------------------------------------------------------- */

static const char not_run[] = "a program that looks could not be run";

static void add_probed(
	struct sandbox *sandbox, const char *name, bool required, long result)
{
	char reason[sizeof(((struct layer *)0)->reason)];

	if (result == NOT_HELD)
		snprintf(reason, sizeof(reason), "is set, and has no effect");
	else if (result < 0)
		snprintf(reason, sizeof(reason), "the kernel says: %s",
			strerrordesc_np((int)-result));
	sandbox_add_layer(sandbox, name, required, result ? reason : NULL);
}

static void add_required(struct sandbox *sandbox, const struct probing *probing,
	const struct program_probe *program)
{
	const char *fds = NULL;
	const char *environment = NULL;

	if (program->status != PROGRAM_GOOD) {
		fds = not_run;
		environment = fds;
	}
	if (program->status == PROGRAM_HAS_ENVIRONMENT) {
		fds = NULL;
		environment = "variables reach a program that was given none";
	}
	if (program->status == PROGRAM_HAS_DESCRIPTORS) {
		fds = "descriptors reach a program that was given none";
		environment = NULL;
	}
	add_probed(sandbox, "no-new-privs", true,
		probing->results[PROBE_PRIVILEGES]);
	add_probed(sandbox, "rlimits", true, probing->results[PROBE_LIMITS]);
	add_probed(sandbox, "seccomp", true, probing->results[PROBE_SECCOMP]);
	sandbox_add_layer(sandbox, "sealed memfds", true,
		program->sealed[0] ? program->sealed : NULL);
	sandbox_add_layer(sandbox, "process control", true,
		program->control[0] ? program->control : NULL);
	if (probing->results[PROBE_DESCRIPTORS])
		add_probed(sandbox, "clean descriptors", true,
			probing->results[PROBE_DESCRIPTORS]);
	else
		sandbox_add_layer(sandbox, "clean descriptors", true, fds);
	sandbox_add_layer(sandbox, "clean environment", true, environment);
}

#define SEPARATE_UID "separate uid"

/* What need not be there.  known says why it is not, where that needs no probe;
   NULL: the probe tells.  Whether it is. */
static bool add_optional(struct sandbox *sandbox, const char *name,
	const char *known, long result)
{
	if (sandbox_leaves_out(sandbox, name))
		known = LEFT_OUT;
	if (known)
		sandbox_add_layer(sandbox, name, false, known);
	else
		add_probed(sandbox, name, false, result);
	return !known && result == 0;
}

/* Each version of the kernel's adds to what can be forbidden. */
enum {
	LANDLOCK_WITH_NETWORK = 4,
	LANDLOCK_WITH_SCOPES = 6,
};

static void add_landlock(struct sandbox *sandbox, const struct probing *probing)
{
	const int abi = sandbox->landlock_abi;
	const long result = probing->results[PROBE_LANDLOCK];
	bool there = add_optional(sandbox, "landlock",
		abi == 0 ? "the kernel has none, or it is turned off"
			: probing->no_ruleset.message[0]
			? probing->no_ruleset.message
			: NULL,
		result);

	add_optional(sandbox, "landlock network",
		!there ? "there is no Landlock"
			: abi < LANDLOCK_WITH_NETWORK
			? "the kernel is older than 6.7"
			: NULL,
		0);
	add_optional(sandbox, "landlock scopes",
		!there ? "there is no Landlock"
			: abi < LANDLOCK_WITH_SCOPES
			? "the kernel is older than 6.12"
			: NULL,
		0);
	if (result != 0)
		sandbox->landlock_abi = 0;
	if (!there && sandbox->run_landlock >= 0) {
		close(sandbox->run_landlock);
		sandbox->run_landlock = -1;
	}
}

static void add_cgroup(struct sandbox *sandbox)
{
	static const char name[] = "cgroup memory";
	struct error err = {0};

	if (!sandbox_leaves_out(sandbox, name))
		(void)!cgroup_create(&sandbox->run_slot.cgroup, &err);
	add_optional(sandbox, name, err.kind ? err.message : NULL, 0);
}

/* Ids that others have as well are better than our own. */
static void add_separate_uid(
	struct sandbox *sandbox, const struct probing *probing)
{
	struct slot *const slots[] = {&sandbox->run_slot, &sandbox->tool_slot};
	const char *reason = NULL;

	if (geteuid() != 0)
		reason = "shared uid: only root can give others";
	else if (probing->no_ids)
		reason = probing->no_ids;
	if (reason || probing->results[PROBE_UID] != 0 ||
		sandbox_leaves_out(sandbox, SEPARATE_UID))
		for (size_t i = 0; i < 2; i++)
			slots[i]->change_ids = false;
	else if (slots[0]->claim < 0 || slots[1]->claim < 0)
		reason = "shared uid: all that jails can have are taken";
	add_optional(
		sandbox, SEPARATE_UID, reason, probing->results[PROBE_UID]);
}

static void add_others(struct sandbox *sandbox, const struct probing *probing,
	const struct program_probe *program)
{
	const volatile long *results = probing->results;

	sandbox->listens = add_optional(sandbox, "syscall names",
		results[PROBE_LISTENER] == -EBUSY
			? "another listener has been set up around the grader"
			: NULL,
		results[PROBE_LISTENER]);
	add_optional(sandbox, "memory figures",
		program->figures ? NULL
			: program->status < 0
			? not_run
			: "/proc does not tell of what runs in a jail",
		0);
	add_landlock(sandbox, probing);
	add_separate_uid(sandbox, probing);
	sandbox->fixed_addresses = add_optional(
		sandbox, "fixed addresses", NULL, results[PROBE_ADDRESSES]);
	add_cgroup(sandbox);
}

/* As a tool's output is. */
static bool can_give_files(const struct slot *slot)
{
	CLEANUP(cleanup_close) int fd = memfd_create("probe", MFD_CLOEXEC);

	return fd < 0 || fchown(fd, slot->uid, slot->gid) == 0;
}

/* A user of its own is of use only with what goes with it. */
static bool probe_both(struct sandbox *sandbox, struct probing *probing,
	struct program_probe *program, struct error *err)
{
	struct slot *slot = &sandbox->run_slot;

	if (!probe_all(probing, err))
		return false;
	if (probing->results[PROBE_UID] != 0)
		slot->change_ids = false;
	if (slot->change_ids && !can_give_files(slot)) {
		probing->no_ids = "files cannot be given to it (CAP_CHOWN)";
		slot->change_ids = false;
	}
	if (!layers_probe_program(sandbox, program, err))
		return false;
	if (!slot->change_ids || !program->others)
		return true;
	probing->no_ids = "its processes cannot be killed (CAP_KILL)";
	slot->change_ids = false;
	return layers_probe_program(sandbox, program, err);
}

static bool layers_prepare(struct sandbox *sandbox, struct error *err)
{
	struct probing probing = {.sandbox = sandbox};
	struct program_probe program;

	sandbox->landlock_abi = landlock_find_abi();
	if (sandbox->landlock_abi > 0)
		sandbox->run_landlock = landlock_create(
			sandbox->landlock_abi, &probing.no_ruleset);
	if (!probe_both(sandbox, &probing, &program, err))
		return false;
	add_required(sandbox, &probing, &program);
	add_others(sandbox, &probing, &program);
	return true;
}

static void layers_finish(struct sandbox *sandbox)
{
	if (sandbox->run_landlock >= 0)
		close(sandbox->run_landlock);
	sandbox->run_landlock = -1;
}

const struct sandbox_part sandbox_part_layers = {
	.prepare = layers_prepare,
	.finish = layers_finish,
};
