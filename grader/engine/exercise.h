/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_EXERCISE_H
#define GRADER_ENGINE_EXERCISE_H

/*
 * Reads the folder of an exercise.
 *
 *   [exercise] -> cases -> compile -> run -> compare -> diagnose -> grade
 *
 * An error is ERROR_EXERCISE and starts with the place, such as
 * "exercises/attention/exercise.json:41: groups[1].cases[0].inputs.Q[1] has 3
 * numbers, d is 2"; a folder that cannot be found is ERROR_USAGE.
 */

#include "grader/engine/function.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

enum distribution_kind {
	DISTRIBUTION_NORMAL,   /* mean a, standard deviation b */
	DISTRIBUTION_UNIFORM,  /* from a to b */
	DISTRIBUTION_INTEGERS, /* from a to b, both included */
	DISTRIBUTION_CONSTANT, /* a */
};

/* How one input of a random case is drawn, or a size of a generated one. */
struct draw {
	enum distribution_kind kind;
	double a, b;
	bool is_null; /* a nullable array: not given */
};

enum case_kind {
	CASE_EXPLICIT,  /* values of all inputs */
	CASE_RANDOM,    /* draws for all inputs */
	CASE_GENERATED, /* draws for the scalars, a generator for the arrays */
};

/* One entry of a group's "cases"; with a count above 1, several cases. */
struct case_definition {
	const char *name; /* unique in the exercise; "" for one entry is an
			     error; counted ones get "-1", "-2" ... */
	enum case_kind kind;
	size_t count;
	const struct value *values;   /* EXPLICIT: one per parameter */
	const struct value *expected; /* EXPLICIT: one per parameter, then the
				  result; data NULL where none was given */
	const int *digits; /* beside expected: decimals given, the fewest of
			  the array's numbers; -1 where none was given */
	const struct draw *draws; /* RANDOM, GENERATED: one per parameter */
	const char *generator;    /* GENERATED: NAME of generate_NAME */
	const double *generator_arguments;
	size_t n_generator_arguments;
	size_t repeat; /* calls of the same case in a row in one process, with
			  dirty outputs; all must be right; 1 for most */
	int line;      /* in exercise.json */
};

struct group {
	const char *name;  /* "above" */
	const char *title; /* "scores above 1000" */
	size_t function;   /* which one its cases call */
	int points;        /* each case's; with all_or_nothing the group's */
	bool all_or_nothing;
	bool hidden;
	bool formula; /* tags for diagnosis */
	bool range;
	const struct case_definition *cases;
	size_t n_cases;
};

struct hint {
	const char *title; /* "Where to start" */
	const char *text;  /* CommonMark */
};

struct exercise_limits {
	uint64_t cpu_case_ms;
	uint64_t cpu_total_ms;
	uint64_t memory_bytes;
	uint64_t stack_bytes;
	uint64_t output_bytes;
};

/* Replaces the reference's own tolerance where an exercise sets one. */
struct tolerance {
	bool given;
	double relative;
	double absolute;
};

/* A C file of the exercise; data NULL where there is none. */
struct exercise_source {
	const char *name; /* "reference.c" */
	const char *data;
	size_t len;
};

struct exercise {
	const char *folder;
	const char *name;
	const char *title;
	const char *summary; /* one sentence for lists */
	char hash[65];       /* BLAKE2b-256 of all its files, hex */
	uint64_t seed;       /* the default one */
	const struct function *functions;
	size_t n_functions;
	const struct group *groups;
	size_t n_groups;
	size_t n_cases; /* all counts added up */
	struct exercise_limits limits;
	struct tolerance tolerance;
	const struct hint *hints;
	size_t n_hints;
	const char *const *watch_out; /* sentences, CommonMark */
	size_t n_watch_out;
	const char *const *steps; /* of the solution: comments of the starter */
	size_t n_steps;
	struct exercise_source lesson;     /* lesson.md */
	struct exercise_source solution;   /* solution.c */
	struct exercise_source reference;  /* reference.c */
	struct exercise_source generators; /* generators.c; optional */
};

/* Everything in *exercise_out is the arena's. */
bool exercise_load(const char *folder, struct arena *arena,
	struct exercise *exercise_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
