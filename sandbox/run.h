/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_RUN_H
#define SANDBOX_RUN_H

/*
 * One process of the run jail, from its start to its end: run.c watches it,
 * run_answer.c answers the calls that its filter puts to us.
 */

#include "sandbox/internal.h"
#include "sandbox/spawn.h"

struct run {
	struct sandbox *sandbox;
	const struct run_request *request;
	struct run_result result;
	struct spawn_child child;
	pid_t proc_pid; /* its number in /proc, or -1 */
	clockid_t cpu_clock;

	bool decided; /* we have killed it: result.end says why */
	bool cancelled;
	bool stuck;      /* it gets no CPU */
	bool aborted;    /* it sent itself SIGABRT */
	bool runner_end; /* the runner's own exit */
	int n_crashes;
	/* Which calls to make: what is in shared memory is the child's. */
	uint64_t first, end;
	uint64_t space_bytes; /* RLIMIT_AS */
	uint64_t space_peak_bytes;
	uint64_t refused_at; /* the counter, when memory was refused last */

	/* All in microseconds, on the clock that its name says. */
	uint64_t start_wall;
	uint64_t next_look_wall;
	uint64_t moving_wall; /* when cpu last changed */
	uint64_t cpu;
	uint64_t asked_cpu; /* ours, for the calls that it put to us */
	uint64_t call;      /* the counter, when it last grew ... */
	uint64_t call_cpu;  /* ... and the CPU used by then */
};

/* Reads what the child may be writing just now. */
static inline uint64_t run_peek(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/* Kills it, unless that is done: end is why. */
void run_kill(struct run *run, enum run_end end);

/* Once, when the listener is there. */
void run_answer_prepare(const struct run *run);

/* Hears one call and answers it.  False only when the listener failed us. */
bool run_answer(struct run *run, struct error *err)
	__attribute__((warn_unused_result));

#endif
