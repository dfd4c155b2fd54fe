/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_PLACES_H
#define GRADER_ENGINE_PLACES_H

/*
 * What stands at a place of a learner's source: names for what a checking build
 * found there.  Without a preprocessor and without a parser, so it answers only
 * where the tokens leave no doubt.  Pure; any bytes will do.
 */

#include "grader/engine/ctoken.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

/* The tokens of a source, in order. */
struct places {
	const char *data;
	size_t len;
	struct token *tokens;
	size_t count;
	const char **lines; /* where each starts */
	size_t n_lines;
};

/* Points into the source.  Its bytes are letters, digits and underscores. */
struct place_name {
	const char *text; /* NULL: not known */
	size_t len;
	int line;
	int column;
};

enum { PLACES_BYTES_MAX = 1 << 18 };

/* A source of more than PLACES_BYTES_MAX has no places: count is 0. */
bool places_read(struct places *out, const char *data, size_t len,
	struct arena *arena, struct error *err)
	__attribute__((warn_unused_result));

/* The name that starts there, columns counted in bytes from 1. */
struct place_name places_name(
	const struct places *places, int line, int column);

enum place_type {
	PLACE_OTHER,
	PLACE_DOUBLE,
	PLACE_FLOAT,
	PLACE_POINTER,
};

/* Of the elements of what is declared at that name. */
enum place_type places_declared_type(
	const struct places *places, const struct place_name *name);

/* "Q[i][k]", asked for the second bracket. */
struct place_subscript {
	struct place_name name; /* Q */
	size_t axis;            /* 1 */
};

/* Of the bracket that stands there; its name is NULL where there is none, or
   what is subscripted is not a plain name. */
struct place_subscript places_subscript(
	const struct places *places, int line, int column);

/* The variable that gets what malloc() and its kin are asked for on that line,
   and the type that they are asked for it in. */
struct place_name places_block_owner(
	const struct places *places, int line, enum place_type *type_out);

/*
 * Where the function around that line declares the array of that name, if it
 * does so once.  bound_out gets how it is written there: "scores[n + 1]", or
 * "" where that is long or not plain.
 */
enum { PLACES_BOUND_BYTES = 40 };
struct place_name places_local_array(const struct places *places, int line,
	const struct place_name *name,
	char bound_out[static PLACES_BOUND_BYTES]);

/* The local array of the function around that line, if it has exactly one. */
struct place_name places_only_local_array(
	const struct places *places, int line);

/* The variable that outlives calls and is not const, if there is exactly one.
 */
struct place_name places_only_static(const struct places *places);

/*
 * Which parameter of that function the name is, counted from 0, on a line in
 * its body; PLACES_NONE where it is none.
 */
#define PLACES_NONE ((size_t)-1)
size_t places_parameter(const struct places *places, const char *function,
	int line, const struct place_name *name);

/* Whether "] += " stands on that line. */
bool places_adds_to_element(const struct places *places, int line);

#endif
