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
 * fill new memory with grader_heap_pattern.
 */

#include "sandbox/protocol.h"

/* In the shim.  values has a cell for each parameter and one for the result. */
int grader_main(int argc, char **argv, char **envp);
void grader_call(uint32_t function, union runner_value *values);

/* In the runner. */
extern uint64_t grader_heap_pattern;
_Noreturn void grader_run(void);
extern const char grader_exit_return[]; /* the address behind the exit call */

#endif
