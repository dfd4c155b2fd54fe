/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_PLAN_H
#define GRADER_ENGINE_PLAN_H

/*
 * Lays out what one batch of calls shares with its processes: the plan and the
 * outputs of sandbox/protocol.h, in two memfds.  Part of run.
 *
 * A call that is repeated takes up several entries of the plan.
 */

#include "grader/engine/run.h"
#include "sandbox/protocol.h"

struct plan_layout {
	int plan_fd;    /* sealed: nobody can change it any more */
	int outputs_fd; /* its size is sealed */
	void *outputs;  /* our mapping of the latter */
	size_t outputs_bytes;
	uint64_t records_at;
	const struct plan_slot *slots;
	size_t n_slots;
	const struct plan_call *calls; /* copies of what the plan holds */
	const struct plan_argument *arguments;
	size_t n_entries;          /* calls in the plan, repeats included */
	const size_t *first_entry; /* per call; and one past the last */
};

/*
 * All memory but the descriptors and the mapping is the arena's.  More than
 * PLAN_BYTES_MAX in all is ERROR_EXERCISE.
 */
bool plan_create(const struct call *calls, size_t count, uint32_t nonce,
	struct arena *arena, struct plan_layout *out, struct error *err)
	__attribute__((warn_unused_result));
void plan_finish(struct plan_layout *plan);

static inline struct progress *plan_progress(const struct plan_layout *plan)
{
	return plan->outputs;
}

/* Where in which array of that entry's call an address lies, or is closest to:
   the guards and paddings count as the array's that they stand by. */
struct access plan_find_access(const struct plan_layout *plan, size_t entry,
	const struct function *function, uint64_t address, bool write);

#define PLAN_BYTES_MAX ((size_t)1 << 30)

#endif
