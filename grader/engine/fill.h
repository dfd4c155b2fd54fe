/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_FILL_H
#define GRADER_ENGINE_FILL_H

/*
 * What memory is filled with before a call, so that the values which come out
 * of it tell that it was never set, and which memory it was
 * (sandbox/protocol.h has the patterns).  Pure.
 */

#include "grader/engine/function.h"

#include <stdint.h>

/* What an element that was not computed has in it. */
enum element_origin {
	ORIGIN_COMPUTED,
	ORIGIN_UNTOUCHED,   /* the output's own filling */
	ORIGIN_FROM_OUTPUT, /* computed from the output's filling */
	ORIGIN_FROM_STACK,  /* from an uninitialised local variable */
	ORIGIN_FROM_HEAP,   /* from malloc'ed memory that was never set */
	ORIGIN_FROM_BEFORE, /* from memory before an array's start */
};

/* Eight bytes to fill memory with; origin is one of enum fill_origin. */
uint64_t fill_pattern(
	enum value_type type, unsigned int origin, uint32_t nonce);

/* The same without an origin: of the floating types, numbers like others, for
   runs that are to show what becomes of them. */
uint64_t fill_finite(enum value_type type);

/*
 * What the bits of one element tell.  Of the types that are not floating only
 * ORIGIN_UNTOUCHED can be told.  *parameter_out is set for ORIGIN_FROM_BEFORE.
 */
enum element_origin fill_origin_of(uint32_t nonce, enum value_type type,
	const void *element, size_t *parameter_out);

#endif
