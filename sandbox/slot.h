/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_SLOT_H
#define SANDBOX_SLOT_H

/*
 * What a jail takes up while it runs, and no other jail has at that time: a
 * user of its own, a control group if it can be had, and the stack that its
 * child stands on until it executes its program.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sandbox/cgroup.h"

struct error;

struct slot {
	bool change_ids; /* to the next two: only root can */
	uid_t uid;
	gid_t gid;
	int claim; /* held as long as the ids are ours alone; else -1 */
	struct cgroup cgroup; /* where the machine gives us one */
	void *stack;
	size_t stack_bytes;
};

/* An initialiser. */
#define SLOT_NONE                                                              \
	{                                                                      \
		.claim = -1, .cgroup = CGROUP_NONE                             \
	}

bool slot_create(struct slot *slot, struct error *err)
	__attribute__((warn_unused_result));
void slot_finish(struct slot *slot);

#endif
