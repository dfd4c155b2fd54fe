/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_EXERCISE_PROGRAM_H
#define GRADER_ENGINE_EXERCISE_PROGRAM_H

/*
 * One C file of an exercise as a program, and the calls that it is to answer.
 *
 * It is compiled and runs as a submission does.  A file that does not compile,
 * or crashes, is ERROR_EXERCISE, and the error starts with its name:
 *
 *   exercises/attention/generators.c:12: expected ';' before 'return'
 *   exercises/attention/reference.c: case above-1: reference_solve called
 * abort()
 */

#include "grader/engine/cases.h"
#include "grader/engine/compile.h"
#include "grader/engine/run.h"

struct arena;
struct error;
struct text;
struct tools;

/* The first are to be set; all memory is the arena's. */
struct exercise_program {
	const struct exercise *exercise;
	const struct exercise_source *source;
	const struct function *functions; /* that can be called */
	size_t n_functions;
	const struct tools *tools;
	struct arena *arena;
	/* C that stands behind the shim, or NULL; it defines the functions
	   above, and what the source defines are these. */
	const struct text *more;
	const struct function *defined;
	size_t n_defined;
	struct program program;
	struct call *calls;
	const struct test_case **cases; /* which each call is for */
	size_t n_calls;
	struct run_outcome outcome;
};

/* room: how many calls are added at most. */
bool exercise_program_start(struct exercise_program *job, size_t room,
	struct error *err) __attribute__((warn_unused_result));
/* index: of the function. */
void exercise_program_add(struct exercise_program *job,
	const struct test_case *test_case, size_t index,
	struct value *arguments);

/* Builds it and makes the calls; every one has returned if it is true. */
bool exercise_program_make(struct exercise_program *job, struct error *err)
	__attribute__((warn_unused_result));

/* In two steps, for a program that one round of calls after the other is for:
   it is the caller's to finish then.  The calls of exercise_program_call() may
   end in any way. */
bool exercise_program_build(struct exercise_program *job, struct error *err)
	__attribute__((warn_unused_result));
bool exercise_program_call(struct exercise_program *job, struct error *err)
	__attribute__((warn_unused_result));

/* false; the file and the case of a call, and what is wrong. */
bool exercise_program_fail(const struct exercise_program *job, size_t call,
	const char *says, struct error *err);

#endif
