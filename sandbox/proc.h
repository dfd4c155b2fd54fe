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

/*
 * The number that a child has in /proc, or -1 if it is not told of there.  In a
 * namespace of processes where /proc is one from outside, the number that we
 * know it by is some other process's there.
 */
pid_t proc_find(int pidfd) __attribute__((warn_unused_result));

/* Of a number in /proc.  False, and nothing written, if there is none. */
bool proc_read_memory(pid_t pid, struct proc_memory *out)
	__attribute__((warn_unused_result));

#endif
