/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_RUNNER_RUNNER_H
#define SANDBOX_RUNNER_RUNNER_H

/*
 * The runner is linked into every program that runs in the run jail.
 *
 *   grader_start        the program's entry point: starts libc with
 *   grader_main         as its main(), in the shim, which prepares stdio and
 *                       calls
 *   grader_run          in the runner: maps the slots, makes the calls through
 *   grader_call         in the shim: unpacks the arguments and calls the
 *                       function; then the runner leaves by
 *   grader_exit         its own exit_group(), so that nothing registered with
 *                       atexit() runs
 *
 * The runner needs no libc: a learner may define memcpy(), exit() or write().
 * The shim alone knows libc.  It also holds __wrap_malloc() and its kin, which
 * fill new memory with grader_heap_pattern.  What it leaves in grader_notes
 * stands in the report of a crash.
 */

#include "sandbox/protocol.h"

/* A call's parameters and its result. */
#define RUNNER_ARGUMENTS_MAX 128

/* The runner's exit code for a plan that it cannot follow; ours to avoid. */
#define RUNNER_BAD_PLAN_CODE 125

/* In the shim.  values has a cell for each parameter and one for the result. */
int grader_main(int argc, char **argv, char **envp);
void grader_call(uint32_t function, union runner_value *values);

/*
 * In the runner.  All but grader_start are hidden, and so local symbols of a
 * linked program.
 */
extern uint64_t grader_heap_pattern;
extern uint64_t grader_notes[CRASH_NOTES];
_Noreturn void grader_run(void);
extern const char grader_exit_return[]; /* the address behind the exit call */

#endif
