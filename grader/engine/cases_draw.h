/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CASES_DRAW_H
#define GRADER_ENGINE_CASES_DRAW_H

/*
 * The numbers of a case, from its seed alone.  Pure.
 *
 * A case's seed is the first 8 bytes, least significant first, of the
 * BLAKE2b-256 of these parts, each with its length in front (hash.h):
 *
 *   "grader/case/1", the run's seed, the case's name,
 *   and the secret, if the case is hidden and there is one.
 *
 * From it starts one stream of numbers (random.h).  It gives, in this order,
 * the scalars that are drawn; then for each array that is drawn the seed of a
 * stream of its own, which gives the array's elements; then the seed that a
 * generator is called with.  So scalars never depend on the arrays, nor one
 * array on another's size.
 */

#include "grader/engine/cases.h"

struct random;

uint64_t cases_seed(
	const struct case_request *request, const char *name, bool hidden);

/*
 * Fills in one value per parameter from a stream that starts at the case's
 * seed; the number that it gives next is the generator's seed.  Outputs, and
 * arrays that a generator writes, get their shape and no data; what is given
 * shares the exercise's.
 *
 * ERROR_EXERCISE where bounds that name parameters turn out the wrong way
 * round, or sizes too much.
 */
bool cases_draw(const struct case_definition *definition,
	const struct function *function, struct random *random,
	struct arena *arena, struct value *arguments, struct error *err)
	__attribute__((warn_unused_result));

#endif
