/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_COMPARE_H
#define GRADER_ENGINE_COMPARE_H

/*
 * Holds outputs against the expected values.  Pure.
 *
 *   exercise -> cases -> compile -> run -> [compare] -> diagnose -> grade
 *
 * Floating elements are compared by class first (NaN, +Inf, -Inf, finite),
 * -0.0 equals 0.0, then they fail with !(|got - expected| <= tolerance), which
 * a NaN never passes.  All other types are compared byte for byte.
 */

#include "grader/engine/cases.h"
#include "grader/engine/function.h"

struct mismatch {
	bool found;
	size_t output;  /* parameter, or n_parameters for the result */
	size_t element; /* the first wrong one, row-major */
	size_t n_wrong; /* in all outputs */
	size_t n_elements;
	enum value_type type;
	double expected; /* of the floating types */
	double got;
	double tolerance;
	double error;            /* |got - expected| */
	int64_t expected_number; /* of all others */
	int64_t got_number;
	int wrong_digit;     /* the first digit that differs, from 1; 0: not a
				matter of digits */
	bool lost_precision; /* all errors are small: what float would give */
};

/* What there is to see of one element. */
enum element_state {
	ELEMENT_RIGHT,
	ELEMENT_WRONG,
	ELEMENT_NAN,       /* wrong, and NaN */
	ELEMENT_UNWRITTEN, /* wrong, and still what was there before the call;
			      compare_elements() does not know of it */
};

/* expected, tolerance and outputs: one per parameter, the result last. */
struct mismatch compare_outputs(const struct function *function,
	const struct value *expected, const struct value *tolerance,
	const struct value *outputs);

/*
 * All elements of one output, by the same rule: states, an enum element_state
 * each, has room for as many as are expected.
 */
void compare_elements(enum value_type type, const struct value *expected,
	const struct value *tolerance, const struct value *output,
	unsigned char *states);

#endif
