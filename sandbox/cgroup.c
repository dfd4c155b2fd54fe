/* SPDX-License-Identifier: MIT */

/*
 * Version 2's rules: a group that hands controllers down must have no process
 * of its own, and only what has been delegated to us is ours to change.  So a
 * group that has been prepared is used as it is; of one that has been delegated
 * (to a user by its owner, to root by systemd's mark) we first move out, into
 * a group below, which then takes our place.
 */

#include "sandbox/cgroup.h"
#include "base/cleanup.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
	FILE_BYTES_MAX = 65536, /* of /proc/self/mounts, the longest */
	NUMBER_BYTES = 32,
	NAMES_MAX = 16,
};

/* Files ------------------------------------------------------------------ */

static bool read_at(int folder, const char *name, char *out, size_t size)
{
	CLEANUP(cleanup_close)
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	while (fd >= 0 && len < size - 1) {
		ssize_t n = read(fd, out + len, size - 1 - len);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	out[len] = '\0';
	return fd >= 0;
}

static bool write_at(int folder, const char *name, const char *text)
{
	CLEANUP(cleanup_close)
	int fd = openat(folder, name, O_WRONLY | O_CLOEXEC);

	return fd >= 0 &&
		write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Whether one of the words of a line is this one. */
static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	while (*words) {
		size_t n = strcspn(words, " \n");

		if (n == len && strncmp(words, word, len) == 0)
			return true;
		words += n;
		words += strspn(words, " \n");
	}
	return false;
}

/* Our own group ---------------------------------------------------------- */

/* The second word of the line whose third is cgroup2. */
static bool find_mount(const char *mounts, char out[static PATH_MAX])
{
	for (const char *line = mounts; line && *line;) {
		char path[1024], type[64];

		if (sscanf(line, "%*s %1023s %63s", path, type) == 2 &&
			strcmp(type, "cgroup2") == 0) {
			snprintf(out, PATH_MAX, "%s", path);
			return true;
		}
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return false;
}

/* The line of version 2 is the one whose number is 0. */
static const char *find_group(const char *groups)
{
	for (const char *line = groups; line && *line;) {
		if (strncmp(line, "0::/", 4) == 0)
			return line + 3;
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

bool cgroup_find_own(const char *groups, const char *mounts,
	char path_out[static PATH_MAX], struct error *err)
{
	const char *group = find_group(groups);
	char mount[PATH_MAX];
	size_t len;

	if (!group || !find_mount(mounts, mount))
		return error_set(err, ERROR_SYSTEM,
			"control groups of version 2 are not mounted");
	/* From within a namespace of groups a group outside looks like this. */
	if (strncmp(group, "/..", 3) == 0)
		return error_set(err, ERROR_SYSTEM,
			"the grader's control group lies outside of what is "
			"mounted");
	len = strcspn(group, "\n");
	if (len == 1) /* the root group, "/" */
		len = 0;
	if (strlen(mount) + len >= PATH_MAX)
		return error_set(err, ERROR_SYSTEM,
			"the grader's control group lies too deep");
	memcpy(path_out, mount, strlen(mount));
	memcpy(path_out + strlen(mount), group, len);
	path_out[strlen(mount) + len] = '\0';
	return true;
}

static bool find_own(char path_out[static PATH_MAX], struct error *err)
{
	char groups[PATH_MAX + 64];
	char *mounts = malloc(FILE_BYTES_MAX);
	bool good = mounts &&
		read_at(AT_FDCWD, "/proc/self/cgroup", groups,
			sizeof(groups)) &&
		read_at(AT_FDCWD, "/proc/self/mounts", mounts, FILE_BYTES_MAX);

	good = good ? cgroup_find_own(groups, mounts, path_out, err)
		    : error_set_errno(err, "cannot look up control groups");
	free(mounts);
	return good;
}

/* A place for groups of ours --------------------------------------------- */

static bool hands_down(int folder)
{
	char words[512];

	return read_at(folder, "cgroup.subtree_control", words,
		       sizeof(words)) &&
		has_word(words, "memory") && has_word(words, "pids");
}

static bool has_controllers(int folder)
{
	char words[512];

	return read_at(folder, "cgroup.controllers", words, sizeof(words)) &&
		has_word(words, "memory") && has_word(words, "pids");
}

static bool is_delegated(int folder, const char *path)
{
	char mark[2];

	if (geteuid() != 0)
		return faccessat(folder, "cgroup.subtree_control", W_OK, 0) ==
			0 &&
			faccessat(folder, ".", W_OK, 0) == 0;
	return getxattr(path, "trusted.delegate", mark, sizeof(mark)) == 1 &&
		mark[0] == '1';
}

/* Into a group below, after which controllers can be handed down. */
static bool move_out(int folder, struct error *err)
{
	char name[NUMBER_BYTES], procs[NUMBER_BYTES + 16], pid[NUMBER_BYTES];
	int failure;

	snprintf(name, sizeof(name), "grader-%d", (int)getpid());
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", name);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (mkdirat(folder, name, 0755) != 0 && errno != EEXIST)
		return error_set_errno(err, "cannot make a control group");
	if (write_at(folder, procs, pid) &&
		write_at(folder, "cgroup.subtree_control", "+memory +pids"))
		return true;
	failure = errno;
	write_at(folder, "cgroup.procs", pid);
	unlinkat(folder, name, AT_REMOVEDIR);
	if (failure == EBUSY)
		return error_set(err, ERROR_SYSTEM,
			"other processes are in the grader's control group");
	errno = failure;
	return error_set_errno(err, "cannot hand controllers down");
}

/* Where another grader of the same group has moved out before. */
static bool has_moved_out(int own, const char *path)
{
	CLEANUP(cleanup_close)
	int above = openat(own, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *name = strrchr(path, '/');

	return name && strncmp(name, "/grader-", 8) == 0 && above >= 0 &&
		hands_down(above);
}

/* Makes path that of the folder below which groups can be made. */
static bool find_place(char path[static PATH_MAX], struct error *err)
{
	CLEANUP(cleanup_close) int own = open_folder(path);

	struct statfs info;

	if (own < 0 || fstatfs(own, &info) != 0 ||
		info.f_type != CGROUP2_SUPER_MAGIC || !has_controllers(own))
		return error_set(err, ERROR_SYSTEM,
			"the grader's control group has no memory controller");
	if (hands_down(own))
		return true;
	if (has_moved_out(own, path)) {
		*strrchr(path, '/') = '\0';
		return true;
	}
	if (!is_delegated(own, path))
		return error_set(err, ERROR_SYSTEM,
			"not delegated: see systemd-run --scope -p "
			"Delegate=yes; address space is limited instead");
	return move_out(own, err);
}

static bool make_group(struct cgroup *group, struct error *err)
{
	size_t len = strlen(group->path);

	for (int i = 0; i < NAMES_MAX; i++) {
		snprintf(group->path + len, sizeof(group->path) - len,
			"/grader-%d-%d", (int)getpid(), i);
		if (mkdir(group->path, 0755) == 0)
			break;
		if (errno != EEXIST || i == NAMES_MAX - 1)
			return error_set_errno(
				err, "cannot make a control group");
	}
	group->folder = open_folder(group->path);
	if (group->folder >= 0)
		group->join = openat(
			group->folder, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	/* Swap need not be there; all else must. */
	write_at(group->folder, "memory.swap.max", "0");
	if (group->join < 0 || !write_at(group->folder, "pids.max", "1") ||
		!write_at(group->folder, "memory.oom.group", "1"))
		return error_set_errno(err, "cannot set up a control group");
	return true;
}

bool cgroup_create(struct cgroup *group, struct error *err)
{
	*group = (struct cgroup)CGROUP_NONE;
	if (!find_own(group->path, err) || !find_place(group->path, err))
		return false;
	if (make_group(group, err))
		return true;
	cgroup_finish(group);
	return false;
}

/* Runs ------------------------------------------------------------------- */

static uint64_t count_killed(const struct cgroup *group)
{
	char events[512];
	const char *line;

	if (!read_at(group->folder, "memory.events", events, sizeof(events)))
		return 0;
	line = strstr(events, "oom_kill ");
	return line ? strtoull(line + strlen("oom_kill "), NULL, 10) : 0;
}

bool cgroup_limit(struct cgroup *group, uint64_t bytes, struct error *err)
{
	char number[NUMBER_BYTES];

	/* What earlier runs have left in memory files is counted there yet. */
	if (!read_at(group->folder, "memory.current", number, sizeof(number)))
		return error_set_errno(err, "cannot look up memory in use");
	snprintf(number, sizeof(number), "%" PRIu64,
		(uint64_t)strtoull(number, NULL, 10) + bytes);
	if (!write_at(group->folder, "memory.max", number))
		return error_set_errno(err, "cannot limit memory");
	group->killed = count_killed(group);
	return true;
}

bool cgroup_ran_out(const struct cgroup *group)
{
	return count_killed(group) > group->killed;
}

void cgroup_finish(struct cgroup *group)
{
	if (group->join >= 0)
		close(group->join);
	if (group->folder >= 0) {
		close(group->folder);
		rmdir(group->path);
	}
	*group = (struct cgroup)CGROUP_NONE;
}
