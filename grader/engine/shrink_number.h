/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SHRINK_NUMBER_H
#define GRADER_ENGINE_SHRINK_NUMBER_H

/*
 * Numbers that are easier to follow than a given one.  Pure.  Part of shrink.
 */

#include "grader/engine/function.h"

/*
 * Way number k, from 0, to replace a number, as struct value holds a scalar of
 * that type; false if there are no more.  The simplest come first: 0, 1, -1 and
 * so on, powers of ten, then the number itself with fewer digits.  Each is
 * simpler than the number, and none is larger than it or 1.
 */
bool shrink_number(
	enum value_type type, size_t k, uint64_t *number, double *real);

#endif
