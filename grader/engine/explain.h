/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_EXPLAIN_H
#define GRADER_ENGINE_EXPLAIN_H

/*
 * Asks an exercise's explain.c what is to be seen in a wrong output.
 *
 *   exercise -> cases -> compile -> run -> compare -> [explain] -> grade
 *
 * It runs like a submission does.  Its faults are ERROR_EXERCISE and name the
 * case; its texts are UTF-8 with no control character but newline.
 */

#include "grader/engine/cases.h"

struct arena;
struct error;
struct program;
struct tools;

/* A call of the learner's function that returned. */
struct explained_call {
	const struct test_case *test_case;
	const struct value *outputs; /* per parameter, and the result last */
};

struct explain_request {
	const struct exercise *exercise;
	const struct program *program;      /* the learner's */
	uint64_t seed;                      /* of the probes */
	const struct explained_call *wrong; /* of cases that anybody may see */
	size_t n_wrong;
};

/*
 * Runs the probes with the learner's program, then asks explain_f about each of
 * them that returned, right or wrong, and about the wrong calls: all in this
 * order and in one process, so that explain.c may remember what it saw.
 *
 * *sentences_out is the first answer, the arena's, or NULL if there is none, or
 * no explain.c.
 */
bool explain_failure(const struct tools *tools,
	const struct explain_request *request, struct arena *arena,
	const char **sentences_out, struct error *err)
	__attribute__((warn_unused_result));

/* What steps_f makes of one call; NULL if there is no explain.c. */
bool explain_steps(const struct tools *tools, const struct exercise *exercise,
	const struct explained_call *call, struct arena *arena,
	const char **steps_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
