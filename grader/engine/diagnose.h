/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_DIAGNOSE_H
#define GRADER_ENGINE_DIAGNOSE_H

/*
 * Says which known mistake a submission makes.
 *
 *   exercise -> cases -> compile -> run -> compare -> [diagnose] -> grade
 *
 * The learner's function is called again for the public cases of the tags
 * "formula" and "range", with outputs that hold numbers, and what comes out is
 * searched for among the mistakes of mistakes.c (mistakes.h).
 */

#include "grader/engine/cases.h"
#include "grader/engine/exercise.h"

struct arena;
struct error;
struct program;
struct tools;

/* A mistake that was found. */
struct finding {
	const struct mistake *mistake;
	/* Others that come to the same in all of these cases. */
	const struct mistake **also;
	size_t n_also;
	size_t cases; /* so many agree, which are all that returned */
	size_t of;    /* so many there are */
};

struct diagnosis {
	const struct finding *findings; /* all of them are made together */
	size_t n_findings;              /* 0: nothing is known */
};

struct diagnose_request {
	const struct exercise *exercise;
	const struct program *program; /* the learner's */
	const struct case_list *cases;
};

/* For submissions that do not pass.  Half of the cases of the formula have to
   return, and all with large numbers, or nothing is said about them. */
bool diagnose_mistakes(const struct diagnose_request *request,
	const struct tools *tools, struct arena *arena,
	struct diagnosis *diagnosis_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
