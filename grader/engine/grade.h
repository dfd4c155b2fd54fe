/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_GRADE_H
#define GRADER_ENGINE_GRADE_H

/*
 * Grades one submission: the whole flow, from source to a grade.
 *
 *   exercise -> cases -> compile -> run -> compare -> diagnose -> [grade]
 *
 * A grade is made once and never changed; every report is written from it.  It
 * holds facts; sentences are worded by grader/report/.  Bytes that came from
 * the submission (names, text, messages of the compiler) are raw in it: whoever
 * shows them escapes them.
 */

#include "grader/engine/compare.h"
#include "grader/engine/compile.h"
#include "grader/engine/diagnose.h"
#include "grader/engine/exercise.h"
#include "grader/engine/fill.h"
#include "grader/engine/precision.h"
#include "grader/engine/run.h"
#include "grader/engine/verdict.h"
#include "sandbox/sandbox.h"

struct arena;
struct error;
struct slip;
struct tools;

enum audience {
	AUDIENCE_LEARNER, /* hidden cases: verdict and points, nothing else */
	AUDIENCE_STAFF,
};

struct case_grade {
	const char *name;
	size_t group; /* index in groups */
	bool hidden;
	bool details; /* all below the next three may be shown */
	enum verdict verdict;
	int points;
	int max_points;
	const struct function *function;
	const struct test_case *test_case; /* NULL without details */
	uint64_t cpu_us;
	/* Why it failed, as far as the verdict has use for it. */
	struct mismatch mismatch;
	struct closeness closeness; /* of a wrong answer */
	enum element_origin origin; /* of the mismatch's element */
	size_t origin_parameter;
	/* Of the mismatch's output, an enum element_state for each element;
	   NULL unless it has two axes. */
	const unsigned char *elements;
	bool repeats_differ; /* the second call gave something else */
	bool in_call;        /* the process ended in it, not before or after */
	struct run_result ended;
	struct access access;
	bool stack_overflow;
	bool frame_overwritten; /* beside an array of one of its functions */
	int line; /* of the learner's file, where it crashed; 0: unknown */
	const char *text;
	size_t text_len;
	bool text_cut;
};

struct group_grade {
	const char *name;
	const char *title;
	bool hidden;
	size_t n_cases;
	size_t n_passed;
	int points;
	int max_points;
};

struct grade {
	const struct exercise *exercise;
	const char *file;     /* as the user named it */
	char source_hash[65]; /* BLAKE2b-256, hex */
	const char *source;   /* the learner's bytes */
	size_t source_len;
	uint64_t seed;
	const char *pattern; /* NULL, or the cases were filtered: no score */
	enum audience audience;
	enum verdict verdict;
	bool passed;
	bool scored;
	int score;
	int max_score;
	const char *compiler;
	const char *libc;
	const char *flags;
	const struct layer *layers;
	size_t n_layers;
	bool compiled;
	const struct diagnostic *diagnostics;
	size_t n_diagnostics;
	bool diagnostics_cut;
	const struct group_grade *groups; /* those with cases, in order */
	size_t n_groups;
	const struct case_grade *cases;
	size_t n_cases;
	struct precision precision; /* what lost it */
	/* What it does wrong with memory; of public cases alone. */
	const struct slip *slips;
	size_t n_slips;
	bool renumbered;            /* by #line: no line can be told */
	struct diagnosis diagnosis; /* what public cases tell */
	/* The exercise's own sentences about what public cases show, or NULL.
	 */
	const char *explanation;
	const struct exercise_limits *limits;
	uint64_t memory_peak_kib; /* 0: unknown */
	uint64_t duration_us;
};

struct grade_request {
	const struct exercise *exercise;
	const char *file;
	const char *source;
	size_t source_len;
	uint64_t seed;
	const char *secret; /* NULL: none */
	size_t secret_len;
	const char *pattern; /* NULL: all cases */
	bool cases_alone;    /* no more than how the cases went: no diagnosis */
};

/* The grade is for staff: grade_for() makes the learner's of it. */
bool grade_submission(const struct grade_request *request,
	const struct tools *tools, struct arena *arena, struct grade *grade_out,
	struct error *err) __attribute__((warn_unused_result));

/* A grade from which everything that the audience may not see is gone. */
bool grade_for(enum audience audience, const struct grade *grade,
	struct arena *arena, struct grade *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
