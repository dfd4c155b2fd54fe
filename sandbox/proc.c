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

bool proc_read_memory(pid_t pid, struct proc_memory *out)
{
	struct proc_memory memory;
	char path[32];
	char status[STATUS_BYTES_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	CLEANUP(cleanup_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, status, sizeof(status) - 1);
	if (len <= 0)
		return false;
	status[len] = '\0';
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
