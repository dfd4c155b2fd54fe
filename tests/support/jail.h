/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_JAIL_H
#define TESTS_SUPPORT_JAIL_H

/*
 * Small programs for the run jail, made from C text with musl-gcc.
 *
 * The text defines
 *
 *   double solve(const double *x, size_t n, double *y);
 *
 * which is called with n = JAIL_ELEMENTS.  All fail the running test when they
 * cannot do what they should.
 */

#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress;

enum {
	JAIL_ELEMENTS = 4,
	JAIL_CALLS_MAX = 4096,
};

/* With work folders in /tmp; tool_reads may be NULL. */
struct sandbox *jail_create(const char *const *tool_reads);

struct jail_program {
	int fd;
	uint64_t runner_exit;
};

/* The libc to link: "musl", or "glibc" for the system's, static. */
struct jail_program jail_build_with(const char *libc, const char *source);
struct jail_program jail_build(const char *source);
/* The address of a symbol of a program. */
uint64_t jail_symbol(const struct jail_program *program, const char *name);

/*
 * A plan of n calls and its outputs.  Call number c gets x[i] = 10 c + i.
 */
struct jail_plan {
	int plan, outputs, text;
	size_t n_calls;
	size_t array_bytes;
	bool repeats;
	uint32_t nonce;
	char *base; /* of outputs */
	struct progress *progress;
	uint64_t input;     /* where the learner sees x */
	uint64_t input_end; /* and its guard begins */
	uint64_t output, output_end;
	uint64_t packed_at, records_at;
};

void jail_plan_make(struct jail_plan *plan, size_t n_calls);
/* With arrays of another size, of which n counts the whole elements; and calls
   that leave the output as the one before left it. */
void jail_plan_make_of(struct jail_plan *plan, size_t n_calls,
	size_t array_bytes, bool repeats);
void jail_plan_drop(struct jail_plan *plan);

/* y, and behind its (rounded) end what solve() returned. */
const double *jail_output(const struct jail_plan *plan, size_t call);
uint64_t jail_text_end(const struct jail_plan *plan, size_t call);
/* What was printed, at most size - 1 bytes and a NUL. */
size_t jail_text(const struct jail_plan *plan, char *out, size_t size);

extern const struct run_limits jail_limits;

/* Runs calls first to end of the plan. */
struct run_request jail_request(
	const struct jail_program *program, const struct jail_plan *plan);

#endif
