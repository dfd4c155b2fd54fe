/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FORGED_PROCESS_H
#define TESTS_FUZZ_FORGED_PROCESS_H

/*
 * The process of forged.h: its memory, and what it does when its turn comes.
 * forged.c is the kernel that gives it turns.
 */

#include "tests/fuzz/forged.h"

#include <linux/seccomp.h>

enum {
	PID = 4242,
	RUNNER_EXIT = 0x500000,
};

/* The process as it is now. */
struct process {
	char *plan; /* both as the process maps them */
	size_t plan_bytes;
	char *outputs;
	size_t outputs_bytes;
	int text;
	uint64_t text_bytes;
	bool killed;
	bool leaves; /* with this status, at the next look */
	int status;
	int steps;
	bool asks;
	bool at_door; /* it asked to leave as the runner does */
	bool short_of_memory;
	uint64_t n_calls; /* that it is to make */
	struct seccomp_notif asked;
};

struct forged {
	bool active;
	bool listens;
	bool wordless; /* it reports nothing of crashes and calls */
	struct fuzz_input script;
	const struct case_list *cases;
	struct forged_outcome outcome;
	uint64_t now_us, cpu_us;
	uint64_t moving_us; /* when it last used CPU */
	struct process process;
};

extern struct forged forged;

struct progress *process_progress(const struct process *process);

/* One step of its script: it may ask something then, or leave. */
void process_step(struct process *process);
/* It will be dead, with this status of wait()'s, at the next look. */
void process_leave(struct process *process, int status);
/* It is dead: nothing changes any more. */
void process_die(struct process *process);

#endif
