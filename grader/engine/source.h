/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SOURCE_H
#define GRADER_ENGINE_SOURCE_H

/*
 * Writes C from the functions of an exercise.  Pure: text in, text out.
 *
 * Of an array with sizes of its own C gets the shape: "double output[Tq][d_v]".
 * One that may be NULL, or has spliced axes, is a flat pointer: "const double
 * *Q", row-major.  An open one is "const size_t batch[]".  Inputs are const.
 */

#include "grader/engine/function.h"

struct exercise;
struct test_case;
struct text;

/* "void solve(size_t Tq, ..., double output[Tq][d_v])" on one line, no
   semicolon. */
void source_put_prototype(struct text *out, const struct function *function);
/* One parameter as it stands there: "const double Q[Tq][d]". */
void source_put_parameter(
	struct text *out, const struct function *function, size_t parameter);

/* solve.h: a guard, <stdbool.h>, <stddef.h>, a prototype per function. */
void source_put_header(struct text *out, const struct exercise *exercise);

/* exercise.h: what reference.c and the other C files of an exercise include:
   solve.h's prototypes, reference_f, mistaken_f, explain_f and steps_f for each
   f, the generators that the cases name, and the seeded generator of numbers
   (random.h). */
void source_put_exercise_header(
	struct text *out, const struct exercise *exercise);

/*
 * The shim (sandbox/runner/runner.h): grader_main, grader_call for these
 * functions, whose number is their index here, and the wrapped allocators.
 * It declares the functions itself and includes libc's headers alone.
 *
 * To be linked with --wrap=malloc, calloc, realloc and free.
 */
void source_put_shim(
	struct text *out, const struct function *functions, size_t count);

/* The same for the build that looks for slips (shim_checked.h). */
void source_put_checked_shim(
	struct text *out, const struct function *functions, size_t count);

/* Parameter number p as it is taken out of such cells, called values:
   "values[3].number". */
void source_put_argument(
	struct text *out, const struct parameter *parameter, size_t p);

/*
 * solve.c for a learner to start from, and try.c to go with it: a main() with
 * the first explicit case that is not hidden.  They build with
 * "cc try.c solve.c -lm", solve.h beside them.
 */
void source_put_starter(struct text *out, const struct exercise *exercise);
void source_put_try(struct text *out, const struct exercise *exercise);

/* The same with a case of any kind, and no need of a solve.h beside it. */
void source_put_try_case(struct text *out, const struct test_case *test_case);

/* A number such that reading it as that type gives the same bits: "0.1",
   "0.1f" (a float, in C), "-0.0". */
void source_put_real(struct text *out, enum value_type type, double number);

#endif
