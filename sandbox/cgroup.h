/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

/*
 * A control group (version 2) of a slot's own, where the machine has given us a
 * part of its tree: it counts the memory that is used, of whatever kind, and
 * the processes.  It stands behind the limit on address space.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct error;

struct cgroup {
	int folder;      /* descriptors; -1: there is no group */
	int join;        /* who writes "0" to it, enters */
	uint64_t killed; /* processes that ran out of memory, by the last run */
	char path[PATH_MAX];
};

/* An initialiser. */
#define CGROUP_NONE                                                            \
	{                                                                      \
		.folder = -1, .join = -1                                       \
	}

/*
 * The folder of the group that this process is in, under the mount point of a
 * cgroup2 file system: from the contents of /proc/self/cgroup and
 * /proc/self/mounts.  An error says what is missing.
 */
bool cgroup_find_own(const char *groups, const char *mounts,
	char path_out[static PATH_MAX], struct error *err)
	__attribute__((warn_unused_result));

/*
 * Makes a group below the folder of our own (or, once we have moved out of the
 * way of its children, beside it).  An error says why none can be had.
 */
bool cgroup_create(struct cgroup *group, struct error *err)
	__attribute__((warn_unused_result));

/* Before a run: so much more than it holds already. */
bool cgroup_limit(struct cgroup *group, uint64_t bytes, struct error *err)
	__attribute__((warn_unused_result));

/* After it: whether the kernel killed the process for its memory. */
bool cgroup_ran_out(const struct cgroup *group);

void cgroup_finish(struct cgroup *group);

#endif
