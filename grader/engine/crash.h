/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CRASH_H
#define GRADER_ENGINE_CRASH_H

/*
 * What a program's end in a crash was, as far as addresses tell.  Pure.
 */

#include "grader/engine/compile.h"
#include "sandbox/sandbox.h"

/*
 * Where in the learner's own text it was: of the innermost frame that is there.
 * To be looked up with compile_find_line(); 0: not known.
 */
uint64_t crash_find_pc(
	const struct program *program, const struct run_result *ended);

bool crash_is_stack_overflow(
	const struct run_result *ended, uint64_t stack_bytes);

/* A function found its frame overwritten when it returned. */
bool crash_is_frame_overwritten(
	const struct program *program, const struct run_result *ended);

#endif
