/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CASES_H
#define GRADER_ENGINE_CASES_H

/*
 * Draws up the cases of an exercise for one seed: inputs, expected values and
 * the tolerance of each element.
 *
 *   exercise -> [cases] -> compile -> run -> compare -> diagnose -> grade
 *
 * The same exercise and seed give the same cases on every machine.  A public
 * case's own seed is BLAKE2b(run seed, case name); a hidden one's also takes
 * in the secret, when there is one: cases_draw.h has the recipe.
 */

#include "grader/engine/exercise.h"

struct arena;
struct error;
struct program;
struct tools;

struct test_case {
	const char *name;
	const struct exercise *exercise;
	const struct group *group;
	const struct case_definition *definition;
	const struct function *function;
	size_t function_index;
	bool hidden;
	uint64_t seed; /* its own */
	size_t repeat;
	struct value *arguments; /* per parameter; outputs: shape, no data */
	/* Per parameter, and one more for the result; data NULL for inputs. */
	struct value *expected;
	struct value *tolerance; /* doubles; data NULL: byte for byte */
};

struct case_list {
	struct test_case *cases; /* in the order of exercise.json */
	size_t count;
};

struct case_request {
	const struct exercise *exercise;
	uint64_t seed;
	const char *secret; /* NULL: none */
	size_t secret_len;
	const char *pattern; /* glob on names; NULL: all */
	bool probes;         /* those of groups that are probes, in place of
				all others */
};

/*
 * Needs the tools (tools.h) to compile and run generators and reference.
 *
 * A reference or generator that does not compile, crashes, gives what is not
 * finite or leaves an element unset is ERROR_EXERCISE and names the file, the
 * case and the element; so are an "expected" that the reference does not
 * agree with, and cases of more than 512 MiB.  No case for the
 * pattern is ERROR_USAGE.
 */
bool cases_prepare(const struct case_request *request,
	const struct tools *tools, struct arena *arena,
	struct case_list *list_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
