/* SPDX-License-Identifier: MIT */
#include "grader/engine/crash.h"

uint64_t crash_find_pc(
	const struct program *program, const struct run_result *ended)
{
	uint64_t pc = ended->crash_pc;

	if (!ended->crash_known)
		return 0;
	for (size_t i = 0; i <= ended->n_frames; i++) {
		if (pc >= program->learner_start && pc < program->learner_end)
			return pc;
		/* One back: a return address is behind its call. */
		if (i < ended->n_frames)
			pc = ended->frames[i] - 1;
	}
	return 0;
}

/*
 * Endless recursion ends at the stack's limit: the stack pointer then stands
 * there, give or take a frame.  Where it jumped to nowhere, by a longjmp() for
 * instance, the stack pointer may be anything, and is not to blame.
 */
bool crash_is_stack_overflow(
	const struct run_result *ended, uint64_t stack_bytes)
{
	const uint64_t slack = 65536;

	if (ended->end != RUN_SIGNALED || !ended->crash_known ||
		ended->stack_top == 0 ||
		ended->crash_address == ended->crash_pc)
		return false;
	return ended->crash_sp + stack_bytes < ended->stack_top + slack;
}

/* It then goes to one place to end, which with glibc is abort(). */
bool crash_is_frame_overwritten(
	const struct program *program, const struct run_result *ended)
{
	uint64_t pc = ended->crash_pc;

	if ((ended->end != RUN_SIGNALED && ended->end != RUN_ABORTED) ||
		!ended->crash_known)
		return false;
	for (size_t i = 0; i <= ended->n_frames; i++) {
		if (pc >= program->guard_start && pc < program->guard_end)
			return true;
		if (i < ended->n_frames)
			pc = ended->frames[i] - 1;
	}
	return false;
}
