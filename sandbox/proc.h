/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_PROC_H
#define SANDBOX_PROC_H

/* What the kernel says of the memory of a process that is alive. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_memory {
	uint64_t size_kib;      /* address space, now */
	uint64_t size_peak_kib; /* ... and at most */
	uint64_t used_peak_kib; /* in main memory, at most */
	uint64_t stack_kib;
};

/* False, and nothing written, if there is no such process or no /proc. */
bool proc_read_memory(pid_t pid, struct proc_memory *out)
	__attribute__((warn_unused_result));

#endif
