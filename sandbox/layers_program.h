/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_LAYERS_PROGRAM_H
#define SANDBOX_LAYERS_PROGRAM_H

/*
 * A tiny program, executed from a sealed memory file as a learner's is.  It
 * waits, while we look at what we can know of it and do to it; then it looks at
 * what it has been given.
 */

#include "sandbox/internal.h"

struct error;

enum {
	PROGRAM_GOOD = 0,
	PROGRAM_HAS_ENVIRONMENT = 1,
	PROGRAM_HAS_DESCRIPTORS = 2,
};

struct program_probe {
	char sealed[sizeof(((struct layer *)0)->reason)]; /* "": good */
	/* "": it can be started, timed, killed and waited for. */
	char control[sizeof(((struct layer *)0)->reason)];
	bool figures; /* /proc tells of its memory */
	bool others;  /* it may not be killed because of its user */
	int status;   /* PROGRAM_..., or -1: it did not run */
};

/* In the run jail's slot. */
bool layers_probe_program(struct sandbox *sandbox, struct program_probe *probe,
	struct error *err) __attribute__((warn_unused_result));

#endif
