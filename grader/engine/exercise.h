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
 * numbers, expected 2 (d)"; a folder that cannot be opened is ERROR_USAGE.
 *
 * exercise.json, key by key; those without a default must be there, and there
 * are no others:
 *
 *   schema      "grader/exercise/1"
 *   name        a-z, 0-9, hyphens
 *   title, summary
 *   seed        the default seed of the drawn cases: 0 to 2^64 - 1
 *   functions   name, parameters, returns {type, says} (default: void)
 *     parameters  name, type (size_t int double float bool char), says,
 *                 dims (default: a scalar): names of integers in front of it,
 *                 numbers, or "*list" for all sizes of a list in front of it;
 *                 direction "in" or "out" (default: in),
 *                 nullable (default: false)
 *   limits      cpu_case_ms, cpu_total_ms, memory_mib, stack_kib, output_mib
 *               (defaults: 1000, 10000, 64, 8192, 16)
 *   tolerance   rtol, atol (default: the reference's own)
 *   groups      name, title, function, points, cases,
 *               all_or_nothing (default: false),
 *               visibility "public" or "hidden" (default: public),
 *               tags, of "formula", "range", "probe" (default: none);
 *               a probe's cases are never graded: they are run to explain
 *               a failure, and give no points
 *     cases       name, inputs, count (default: 1), repeat (default: 1),
 *                 expected (of cases whose inputs are all given),
 *                 generator, arguments (default: none)
 *   hints       title, text (default: none)
 *   watch_out, steps   texts (default: none)
 *   stages      of mistakes.c: name, choices (default: none)
 *     choices     name, says, hint (a number, from 1),
 *                 watch_out (a number; default: none),
 *                 family (a name; default: its own),
 *                 range (default: false)
 *
 * An input is a literal (null for a nullable array that is not given) or one
 * of {"normal": [mean, deviation]}, {"uniform": [from, to]}, {"integers":
 * [from, to]}, {"constant": x}.  A bound of "integers" may be the name of an
 * integer in front of it.  Integers that a literal array tells, and lists of
 * sizes, may be left out.  With a generator, inputs has the scalars and the
 * lists of sizes that are spliced; the arrays come from generate_NAME.
 */

#include "grader/engine/function.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/* No exercise has more than this. */
enum {
	GROUPS_MAX = 1000,
	CASE_DEFINITIONS_MAX = 10000,
	CASE_COUNT_MAX = 10000, /* of one definition */
	CASES_MAX = 100000,
	CASE_REPEAT_MAX = 100,
	GENERATORS_MAX = 100,
	GENERATOR_ARGUMENTS_MAX = 16,
	POINTS_MAX = 1000000, /* of a case, and of all together */
	TEXTS_MAX = 100,      /* hints; things to watch; steps */
	STAGES_MAX = 16,
	MISTAKES_MAX = 100, /* of a stage */
};

enum distribution_kind {
	DISTRIBUTION_GIVEN,     /* not drawn: the definition's value */
	DISTRIBUTION_NORMAL,    /* mean a, standard deviation b */
	DISTRIBUTION_UNIFORM,   /* from a to b */
	DISTRIBUTION_INTEGERS,  /* from..to, both included */
	DISTRIBUTION_CONSTANT,  /* a; of what is not floating: from */
	DISTRIBUTION_GENERATED, /* an array that the generator writes */
};

/* A bound of integers: a number, or what an earlier parameter is. */
struct bound {
	bool is_parameter;
	size_t parameter; /* an integer scalar */
	int64_t number;
};

/* How one input of a case is made. */
struct draw {
	enum distribution_kind kind;
	double a, b;
	struct bound from, to;
};

enum case_kind {
	CASE_EXPLICIT,  /* all inputs are given */
	CASE_RANDOM,    /* some are drawn */
	CASE_GENERATED, /* a generator writes the arrays */
};

/* One entry of a group's "cases"; with a count above 1, several cases. */
struct case_definition {
	const char *name; /* with a count n above 1, its cases are NAME-1 ...
			     NAME-n; all cases' names differ */
	enum case_kind kind;
	size_t count;
	const struct draw *draws;   /* one per parameter; GIVEN for outputs */
	const struct value *values; /* one per parameter: the GIVEN ones; of an
				       EXPLICIT case's outputs the shape */
	/* One per parameter, then the result (one element); data NULL where
	   none was given.  NULL but for EXPLICIT. */
	const struct value *expected;
	/* Beside it, per element of a floating one: how many decimals were
	   written, which is 5 for 6.69762 and -3 for 1e3; else NULL. */
	const int *const *decimals;
	const char *generator;  /* GENERATED: NAME of generate_NAME */
	size_t generator_index; /* in the exercise's generator_functions */
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
	bool probe; /* no part of a grade: for explanations alone */
	const struct case_definition *cases;
	size_t n_cases;
};

struct hint {
	const char *title; /* "Where to start" */
	const char *text;  /* CommonMark */
};

/* A setting of one switch of mistakes.c. */
struct mistake {
	const char *name; /* "scale-none": among all stages there is no other
			   */
	const char *says; /* goes on from "Your output is what you get when" */
	const char *family; /* shared by those that come to nearly the same */
	size_t hint;        /* from 1 */
	size_t watch_out;   /* from 1; 0: none */
	bool range; /* shows with large numbers alone, in groups of that tag */
};

/* A switch of mistakes.c: choice k, from 1, makes mistakes[k - 1]. */
struct stage {
	const char *name;
	const struct mistake *mistakes;
	size_t n_mistakes;
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
	const struct function *references; /* reference_f of each */
	/* generate_NAME, each once, in the order in which cases name them. */
	const struct function *generator_functions;
	size_t n_generator_functions;
	const struct group *groups;
	size_t n_groups;
	size_t n_cases;  /* all counts added up, but for probes */
	size_t n_probes; /* theirs */
	struct exercise_limits limits;
	struct tolerance tolerance;
	const struct hint *hints;
	size_t n_hints;
	const char *const *watch_out; /* sentences, CommonMark */
	size_t n_watch_out;
	const char *const *steps; /* of the solution: comments of the starter */
	size_t n_steps;
	const struct stage *stages; /* the switches of mistakes.c */
	size_t n_stages;
	const struct function *mistaken; /* mistaken_f of each; NULL without */
	/* explain_f of each, then steps_f of each; NULL without explain.c. */
	const struct function *explainers;
	struct exercise_source lesson;     /* lesson.md */
	struct exercise_source solution;   /* solution.c */
	struct exercise_source reference;  /* reference.c */
	struct exercise_source generators; /* generators.c; optional */
	struct exercise_source mistakes;   /* mistakes.c; goes with stages */
	struct exercise_source explain;    /* explain.c; optional */
};

/*
 * Everything in *exercise_out is the arena's.  All files are regular files of
 * the folder itself: no link is followed.
 */
bool exercise_load(const char *folder, struct arena *arena,
	struct exercise *exercise_out, struct error *err)
	__attribute__((warn_unused_result));

/* The name of case number n, from 0, of a definition; the arena's. */
char *case_name(const struct case_definition *definition, size_t n,
	struct arena *arena, struct error *err)
	__attribute__((warn_unused_result));

/*
 * exercise.json alone, from memory: the sources, the folder and the hash stay
 * unset.  path is for messages.
 */
bool exercise_read(const char *path, const char *text, size_t len,
	struct arena *arena, struct exercise *exercise_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
