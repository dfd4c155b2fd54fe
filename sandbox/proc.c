/* SPDX-License-Identifier: MIT */
#include "sandbox/proc.h"
#include "base/cleanup.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_BYTES_MAX = 4096 };

static const struct {
	const char *name;
	size_t offset;
} fields[] = {
	{"\nVmPeak:", offsetof(struct proc_memory, size_peak_kib)},
	{"\nVmSize:", offsetof(struct proc_memory, size_kib)},
	{"\nVmHWM:", offsetof(struct proc_memory, used_peak_kib)},
	{"\nVmStk:", offsetof(struct proc_memory, stack_kib)},
};

static bool read_file(const char *path, char out[static STATUS_BYTES_MAX])
{
	CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, out, STATUS_BYTES_MAX - 1);
	if (len <= 0)
		return false;
	out[len] = '\0';
	return true;
}

pid_t proc_find(int pidfd)
{
	static const char field[] = "\nPid:";
	char path[48];
	char info[STATUS_BYTES_MAX];
	const char *at;
	long pid;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	if (!read_file(path, info))
		return -1;
	at = strstr(info, field);
	/* 0 where it is not to be seen, -1 once it is dead. */
	pid = at ? strtol(at + strlen(field), NULL, 10) : 0;
	return pid > 0 ? (pid_t)pid : -1;
}

bool proc_read_memory(pid_t pid, struct proc_memory *out)
{
	struct proc_memory memory;
	char path[32];
	char status[STATUS_BYTES_MAX];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (!read_file(path, status))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		/* Of one that is dead there are no such lines. */
		const char *at = strstr(status, fields[i].name);

		if (!at)
			return false;
		*(uint64_t *)((char *)&memory + fields[i].offset) =
			strtoull(at + strlen(fields[i].name), NULL, 10);
	}
	*out = memory;
	return true;
}
