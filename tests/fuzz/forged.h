/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FORGED_H
#define TESTS_FUZZ_FORGED_H

/*
 * A submission's process that does whatever a script of bytes says, and a
 * kernel that plays along.
 *
 * Between forged_start() and forged_stop() the calls by which the run jail
 * starts a process, waits for it, hears what it asks and reads clocks end here,
 * and so do those that draw up cases and compile (the linker's --wrap; the
 * Makefile lists them): all else, from the watching to the report, is real. The
 * process writes into the memory that it shares with the grader, prints,
 * crashes, asks for system calls, and dies. Where its script ends, it makes all
 * its remaining calls right and leaves by the runner's door.
 */

#include "grader/engine/cases.h"
#include "tests/fuzz/fuzz.h"

enum {
	FORGED_CASES_MAX = 16,
	/* Limits that the sandbox and the exercise have to have. */
	FORGED_CALL_US = 100000,
	FORGED_PATIENCE_US = 200000,
};

struct forged_outcome {
	size_t n_processes;
	/* Some process ended otherwise than by the runner's own exit, and not
	   for a limit that calls share: those are made again. */
	bool troubled;
	/* All outputs of the case were right when some process was dead. */
	bool right[FORGED_CASES_MAX];
};

/* The cases are those that will be run, and are known by their inputs.  A
   wordless process says nothing of where and why it crashes, when calls end
   and what they printed. */
void forged_start(struct fuzz_input script, bool listens, bool wordless,
	const struct case_list *cases);
/* What became of it all. */
struct forged_outcome forged_stop(void);

#endif
