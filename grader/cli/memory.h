/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_MEMORY_H
#define GRADER_CLI_MEMORY_H

/*
 * What the grader remembers of a learner from one call to the next: how many
 * hints of each exercise were opened, in $XDG_STATE_HOME/grader/hints/NAME.
 */

#include "grader/cli/invocation.h"

struct exercise;

/* 0 if nothing is remembered, or nothing that makes sense. */
size_t memory_hints_opened(
	const struct invocation *invocation, const struct exercise *exercise);

bool memory_open_hints(const struct invocation *invocation,
	const struct exercise *exercise, size_t count, struct error *err)
	__attribute__((warn_unused_result));

#endif
