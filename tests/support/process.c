/* SPDX-License-Identifier: MIT */
#include "tests/support/process.h"
#include "base/cleanup.h"

#include <check.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STAT_BYTES_MAX = 1024,
	STATUS_BYTES_MAX = 8192,
	EXITING = 4, /* the kernel's PF_EXITING */
};

ssize_t process_file(pid_t pid, const char *name, char *data, size_t size)
{
	char path[64];
	size_t len = 0;
	ssize_t more;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	while ((more = read(fd, data + len, size - 1 - len)) > 0)
		len += (size_t)more;
	ck_assert_uint_lt(len, size - 1);
	data[len] = '\0';
	return more < 0 ? -1 : (ssize_t)len;
}

/* SIGKILL has been sent, and not yet been taken. */
static bool is_sentenced(pid_t pid)
{
	static const char *const names[] = {"\nSigPnd:", "\nShdPnd:"};
	char status[STATUS_BYTES_MAX];

	if (process_file(pid, "status", status, sizeof(status)) <= 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *at = strstr(status, names[i]);

		ck_assert_ptr_nonnull(at);
		if (strtoull(at + strlen(names[i]), NULL, 16) >> (SIGKILL - 1) &
			1)
			return true;
	}
	return false;
}

bool process_read(pid_t pid, struct process *process_out)
{
	char stat[STAT_BYTES_MAX];
	unsigned int flags;
	int parent;
	char *at;

	if (process_file(pid, "stat", stat, sizeof(stat)) <= 0)
		return false;
	/* The name, in parentheses, may hold anything. */
	at = strrchr(stat, ')');
	ck_assert_ptr_nonnull(at);
	*process_out = (struct process){.pid = pid};
	ck_assert_int_eq(sscanf(at + 1,
				 " %c %d %*d %*d %*d %*d %u %*u %*u %*u %*u"
				 " %*u %*u %*d %*d %*d %*d %*d %*d %llu",
				 &process_out->state, &parent, &flags,
				 &process_out->start),
		4);
	process_out->parent = parent;
	process_out->ended = process_out->state == 'Z' ||
		process_out->state == 'X' || (flags & EXITING) ||
		is_sentenced(pid);
	return true;
}

bool process_runs(const struct process *process)
{
	struct process now;

	return process_read(process->pid, &now) &&
		now.start == process->start && !now.ended;
}

size_t process_children(pid_t parent, struct process *children, size_t max)
{
	DIR *dir = opendir("/proc");
	size_t n = 0;

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct process process;

		if (!isdigit((unsigned char)entry->d_name[0]) ||
			!process_read((pid_t)atoi(entry->d_name), &process) ||
			process.parent != parent)
			continue;
		if (n < max)
			children[n] = process;
		n++;
	}
	closedir(dir);
	return n;
}

bool process_link(pid_t pid, const char *name, char *target, size_t size)
{
	char path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	len = readlink(path, target, size - 1);
	if (len < 0)
		return false;
	target[len] = '\0';
	return true;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

ssize_t process_fds(pid_t pid, int fds[PROCESS_FDS_MAX])
{
	char path[64];
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	dir = opendir(path);
	if (!dir)
		return -1;
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		ck_assert_uint_lt(n, PROCESS_FDS_MAX);
		fds[n++] = atoi(entry->d_name);
	}
	closedir(dir);
	qsort(fds, n, sizeof(fds[0]), compare_ints);
	return (ssize_t)n;
}
