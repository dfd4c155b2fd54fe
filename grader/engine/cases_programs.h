/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CASES_PROGRAMS_H
#define GRADER_ENGINE_CASES_PROGRAMS_H

/*
 * Runs the C files of an exercise for its cases: the generators for inputs,
 * the reference for expected values and tolerances.
 *
 * Each file becomes one program, and all of its calls one batch of calls.
 * Errors are ERROR_EXERCISE and start with the file:
 *
 *   exercises/attention/reference.c: case above-1: output[0][1] is NaN
 *   exercises/attention/generators.c:12: expected ';' before 'return'
 */

#include "grader/engine/cases.h"

struct exercise_program;

/* Writes the arrays of generated cases; seeds has the generator's for each. */
bool cases_generate(const struct exercise *exercise, const struct tools *tools,
	const struct case_list *list, const uint64_t *seeds,
	struct arena *arena, struct error *err)
	__attribute__((warn_unused_result));

/* Fills in expected and tolerance of all. */
bool cases_refer(const struct exercise *exercise, const struct tools *tools,
	const struct case_list *list, struct arena *arena, struct error *err)
	__attribute__((warn_unused_result));

/*
 * The reference once more, for cases that are made while the grader runs, which
 * it may not be meant for.  Its program stays with *out, to be finished
 * (program_finish); each round has an arena of its own.
 *
 * allowed[i] says whether the reference returned, with numbers: only then are
 * expected and tolerance filled in.
 */
bool cases_reference_open(const struct exercise *exercise,
	const struct tools *tools, struct arena *arena,
	struct exercise_program *out, struct error *err)
	__attribute__((warn_unused_result));
bool cases_refer_allowed(const struct exercise_program *reference,
	const struct case_list *list, struct arena *arena, bool *allowed,
	struct error *err) __attribute__((warn_unused_result));

#endif
