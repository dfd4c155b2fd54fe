/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_LESSON_H
#define TESTS_SUPPORT_LESSON_H

/*
 * A function to be written, with its header and shim as plain text:
 *
 *   double solve(size_t n, size_t m, const double Q[n][m], bool flip,
 *                double output[n]);
 */

#include "grader/engine/compile.h"

extern const struct function lesson_function;

/* A request to build this source, a string, as solve.c. */
struct build_request lesson_request(const char *source);

/* "double solve(size_t n, ..." without a body. */
#define LESSON_PROTOTYPE                                                       \
	"double solve(size_t n, size_t m, const double Q[n][m], bool flip,\n"  \
	"\tdouble output[n])"

/* A right answer. */
extern const char lesson_solution[];

#endif
