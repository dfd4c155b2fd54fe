/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_PROGRAM_H
#define GRADER_ENGINE_PROGRAM_H

/*
 * Checks what the linker made, and seals it.  struct program itself is in
 * compile.h.
 */

#include "grader/engine/compile.h"

/* The section that holds the learner's code, and nothing else does. */
#define PROGRAM_LEARNER_SECTION "learner"

/*
 * Where the file is not to be run, *refused_out says why ("it asks for an
 * interpreter"), and *program_out is not set; else *refused_out is NULL.
 * Errors are ours: no memory file, or a runner that is not the one we know.
 */
bool program_load(const void *data, size_t len,
	const struct build_request *request, struct program *program_out,
	const char **refused_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
