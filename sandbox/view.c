/* SPDX-License-Identifier: MIT */

/*
 * Theory of operation.
 *
 * A short-lived child makes the namespace: it mounts an empty tmpfs over the
 * work folder, binds into it what may be read and at last the work folder
 * itself, makes that its root and lets go of the old one.  The namespace then
 * lives on in the descriptor that the child has opened of it: it shares our
 * table of descriptors and, as those of spawn.c, our memory.  So it makes raw
 * system calls only, and all paths are laid out before it starts.
 */

#include "sandbox/view.h"
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "sandbox/raw.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of <sys/mount.h>, which does not go with <linux/mount.h> everywhere. */
enum {
	MOUNT_NOSUID = 2,
	MOUNT_NODEV = 4,
	MOUNT_BIND = 4096,
	MOUNT_RECURSIVE = 16384,
	MOUNT_PRIVATE = 1 << 18,
	UNMOUNT_DETACH = 2,
};

enum {
	STACK_BYTES = 0x10000,
	MAP_BYTES = 64,
	ACTIONS_PER_READ = 66, /* its folders, itself, and its mount */
};

struct action {
	enum { MAKE_FOLDER, MAKE_FILE, BIND } kind;
	const char *path;   /* in the new root, which is the current folder */
	const char *source; /* BIND */
};

struct making {
	const char *work_folder;
	struct action *actions;
	size_t n_actions;
	bool user; /* in a user namespace */
	char uid_map[MAP_BYTES], gid_map[MAP_BYTES];
	int work;         /* the work folder as a mount of its own */
	struct view view; /* opened by the child */
	volatile size_t step;
	volatile long result; /* -errno of the step that failed */
};

/* Paths ------------------------------------------------------------------ */

static void add_action(
	struct making *making, int kind, const char *path, const char *source)
{
	struct action *action = &making->actions[making->n_actions++];

	action->kind = kind;
	action->path = path;
	action->source = source;
}

/* The folders that lead to it, each as a string of its own. */
static bool add_parents(struct making *making, const char *path,
	struct arena *arena, struct error *err)
{
	size_t count = 0;

	for (const char *at = path; (at = strchr(at, '/')); at++) {
		const char *folder =
			arena_copy(arena, path, (size_t)(at - path), err);

		if (!folder)
			return false;
		if (++count > ACTIONS_PER_READ - 2)
			return error_set(err, ERROR_SYSTEM,
				"'/%s' lies too deep in folders", path);
		add_action(making, MAKE_FOLDER, folder, NULL);
	}
	return true;
}

static bool add_read(struct making *making, const char *read,
	struct arena *arena, struct error *err)
{
	const char *path = read + strspn(read, "/");
	struct stat info;

	assert(read[0] == '/');
	if (stat(read, &info) != 0)
		return error_set_errno(
			err, "cannot let the compile jail see '%s'", read);
	if (!add_parents(making, path, arena, err))
		return false;
	add_action(making, S_ISDIR(info.st_mode) ? MAKE_FOLDER : MAKE_FILE,
		path, NULL);
	add_action(making, BIND, path, read);
	return true;
}

static bool lay_out(struct making *making, const char *const *reads,
	struct arena *arena, struct error *err)
{
	size_t count = 0;

	while (reads[count])
		count++;
	making->actions = arena_alloc(
		arena, count * ACTIONS_PER_READ, sizeof(*making->actions), err);
	if (!making->actions)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!add_read(making, reads[i], arena, err))
			return false;
	return true;
}

/* The child -------------------------------------------------------------- */

#define IN_CHILD __attribute__((no_sanitize("address", "undefined")))

IN_CHILD static long write_file(const char *path, const char *text)
{
	long fd = raw_call(
		SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CLOEXEC, 0, 0);
	long len = 0;
	long result;

	if (fd < 0)
		return fd;
	while (text[len])
		len++;
	result = raw_call(SYS_write, fd, (long)text, len, 0, 0);
	raw_call(SYS_close, fd, 0, 0, 0, 0);
	return result < 0 ? result : 0;
}

IN_CHILD static long map_ids(struct making *making)
{
	long result;

	if (!making->user)
		return 0;
	result = write_file("/proc/self/setgroups", "deny");
	if (result == 0)
		result = write_file("/proc/self/uid_map", making->uid_map);
	if (result == 0)
		result = write_file("/proc/self/gid_map", making->gid_map);
	return result;
}

IN_CHILD static long open_namespaces(struct making *making)
{
	const int flags = O_RDONLY | O_CLOEXEC;
	long fd = raw_call(
		SYS_openat, AT_FDCWD, (long)"/proc/self/ns/mnt", flags, 0, 0);

	if (fd < 0)
		return fd;
	making->view.mount_ns = (int)fd;
	if (!making->user)
		return 0;
	fd = raw_call(
		SYS_openat, AT_FDCWD, (long)"/proc/self/ns/user", flags, 0, 0);
	if (fd < 0)
		return fd;
	making->view.user_ns = (int)fd;
	return 0;
}

IN_CHILD static long mount_call(const char *source, const char *target,
	const char *type, unsigned long flags, const char *options)
{
	return raw_call(SYS_mount, (long)source, (long)target, (long)type,
		(long)flags, (long)options);
}

IN_CHILD static long set_attributes(
	const char *path, unsigned int flags, uint64_t attributes)
{
	struct mount_attr change = {.attr_set = attributes};

	return raw_call(SYS_mount_setattr, AT_FDCWD, (long)path, flags,
		(long)&change, sizeof(change));
}

/* What we mount is for us alone; what the machine mounts later is not ours. */
IN_CHILD static long detach(struct making *making)
{
	(void)making;
	return mount_call(
		NULL, "/", NULL, MOUNT_RECURSIVE | MOUNT_PRIVATE, NULL);
}

IN_CHILD static long take_work_folder(struct making *making)
{
	long result =
		raw_call(SYS_chdir, (long)making->work_folder, 0, 0, 0, 0);

	if (result == 0)
		result = raw_call(SYS_open_tree, AT_FDCWD, (long)".",
			OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC, 0, 0);
	if (result < 0)
		return result;
	making->work = (int)result;
	return 0;
}

IN_CHILD static long mount_root(struct making *making)
{
	long result;

	/* Whatever the grader's is: the tools' user must get through. */
	raw_call(SYS_umask, 0022, 0, 0, 0, 0);
	result = mount_call("tmpfs", ".", "tmpfs", MOUNT_NOSUID | MOUNT_NODEV,
		"mode=0755,size=1m");

	/* Into what has just been mounted over the current folder. */
	if (result == 0)
		result = raw_call(
			SYS_chdir, (long)making->work_folder, 0, 0, 0, 0);
	return result;
}

IN_CHILD static long act(const struct action *action)
{
	long result;

	switch (action->kind) {
	case MAKE_FOLDER:
		result = raw_call(SYS_mkdir, (long)action->path, 0755, 0, 0, 0);
		break;
	case MAKE_FILE:
		result = raw_call(
			SYS_mknod, (long)action->path, S_IFREG | 0444, 0, 0, 0);
		break;
	case BIND:
	default:
		return mount_call(action->source, action->path, NULL,
			MOUNT_BIND | MOUNT_RECURSIVE, NULL);
	}
	return result == -EEXIST ? 0 : result;
}

IN_CHILD static long mount_reads(struct making *making)
{
	for (size_t i = 0; i < making->n_actions; i++) {
		long result = act(&making->actions[i]);

		if (result < 0)
			return result;
	}
	return 0;
}

IN_CHILD static long mount_work_folder(struct making *making)
{
	const char *name = VIEW_WORK_FOLDER + 1;
	long result = raw_call(SYS_mkdir, (long)name, 0755, 0, 0, 0);

	if (result == 0)
		result = set_attributes(".", AT_RECURSIVE,
			MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
				MOUNT_ATTR_NODEV);
	if (result == 0)
		result = raw_call(SYS_move_mount, making->work, (long)"",
			AT_FDCWD, (long)name, MOVE_MOUNT_F_EMPTY_PATH);
	if (result == 0)
		result = set_attributes(name, 0,
			MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
				MOUNT_ATTR_NOEXEC);
	return result;
}

/* The old root ends up over the new one, from where it is taken away. */
IN_CHILD static long change_root(struct making *making)
{
	long result = raw_call(SYS_pivot_root, (long)".", (long)".", 0, 0, 0);

	(void)making;
	if (result == 0)
		result = raw_call(
			SYS_umount2, (long)".", UNMOUNT_DETACH, 0, 0, 0);
	return result;
}

/* As each tool will, so that whether it can be is known before one is run. */
IN_CHILD static long enter(struct making *making)
{
	long result = raw_call(
		SYS_setns, making->view.mount_ns, CLONE_NEWNS, 0, 0, 0);

	if (result == 0)
		result =
			raw_call(SYS_chdir, (long)VIEW_WORK_FOLDER, 0, 0, 0, 0);
	return result;
}

static const struct step {
	const char *name; /* "cannot ..." */
	long (*run)(struct making *making);
} steps[] = {
	{"map ids", map_ids},
	{"open its namespaces", open_namespaces},
	{"detach its mounts", detach},
	{"take the work folder", take_work_folder},
	{"mount a root", mount_root},
	{"mount what compilers read", mount_reads},
	{"mount the work folder", mount_work_folder},
	{"change its root", change_root},
	{"look around", enter},
};

static const size_t n_steps = sizeof(steps) / sizeof(*steps);

IN_CHILD static int child_main(void *argument)
{
	struct making *making = argument;

	for (size_t i = 0; i < n_steps; i++) {
		making->step = i;
		making->result = steps[i].run(making);
		if (making->result < 0)
			break;
	}
	raw_call(SYS_exit_group, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

/* Making it -------------------------------------------------------------- */

static void close_all(struct making *making)
{
	if (making->work >= 0)
		close(making->work);
	making->work = -1;
	view_finish(&making->view);
}

static pid_t start(struct making *making, char *stack)
{
	const int namespaces = CLONE_NEWNS | (making->user ? CLONE_NEWUSER : 0);
	const int dumpable = prctl(PR_GET_DUMPABLE);
	sigset_t all, before;
	pid_t pid;
	int failure;

	/* Else /proc/self would be root's in the child. */
	prctl(PR_SET_DUMPABLE, 1);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = clone(child_main, stack + STACK_BYTES,
		CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD | namespaces,
		making);
	failure = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	prctl(PR_SET_DUMPABLE, dumpable);
	errno = failure;
	return pid;
}

static bool make(struct making *making, char *stack, struct error *err)
{
	pid_t pid = start(making, stack);

	if (pid < 0)
		return error_set_errno(err, "cannot make %s namespaces",
			making->user ? "user" : "mount");
	while (waitpid(pid, NULL, 0) != pid && errno == EINTR)
		;
	if (making->result >= 0)
		return true;
	close_all(making);
	errno = (int)-making->result;
	return error_set_errno(
		err, "cannot %s in a namespace", steps[making->step].name);
}

/* Root makes it outright; all others, and a root of few rights, as the root of
   a user namespace, where they may. */
static bool make_either(struct making *making, id_t inside, struct error *err)
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	bool good;

	if (stack == MAP_FAILED)
		return error_set_errno(err, "cannot make a stack");
	good = geteuid() == 0 && make(making, stack, err);
	if (!good && inside != 0) {
		making->user = true;
		snprintf(making->uid_map, MAP_BYTES, "%u %u 1\n",
			(unsigned int)inside, (unsigned int)geteuid());
		snprintf(making->gid_map, MAP_BYTES, "%u %u 1\n",
			(unsigned int)inside, (unsigned int)getegid());
		good = make(making, stack, err);
	}
	munmap(stack, STACK_BYTES);
	return good;
}

bool view_create(const char *work_folder, const char *const *reads, id_t inside,
	struct view *view_out, struct error *err)
{
	CLEANUP(cleanup_arena) struct arena *arena = arena_create(err);
	struct making making = {
		.work_folder = work_folder,
		.work = -1,
		.view = VIEW_NONE,
	};

	assert(inside != 0 || geteuid() == 0);
	if (!arena || !lay_out(&making, reads, arena, err) ||
		!make_either(&making, inside, err))
		return false;
	*view_out = making.view;
	making.view = (struct view)VIEW_NONE;
	close_all(&making);
	return true;
}

void view_finish(struct view *view)
{
	if (view->mount_ns >= 0)
		close(view->mount_ns);
	if (view->user_ns >= 0)
		close(view->user_ns);
	*view = (struct view)VIEW_NONE;
}
