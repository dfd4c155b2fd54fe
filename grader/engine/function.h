/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_FUNCTION_H
#define GRADER_ENGINE_FUNCTION_H

/*
 * The C functions of an exercise, as data: their parameters, how big each
 * array is, and the arguments of one call.
 *
 * The learner's function, the reference, the generators: each is a struct
 * function, and all are called in the same way (source.h writes their C, run.h
 * calls them).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

enum {
	AXES_MAX = 8,
	PARAMETERS_MAX = 32,
	FUNCTIONS_MAX = 16,
	EXPLANATION_BYTES = 512, /* of explain_f's text */
	STEPS_BYTES = 8192,      /* of steps_f's */
};

/* No array may have more bytes than this. */
#define ARRAY_BYTES_MAX ((size_t)1 << 24)

enum value_type {
	TYPE_SIZE, /* size_t */
	TYPE_INT,
	TYPE_DOUBLE,
	TYPE_FLOAT,
	TYPE_BOOL,
	TYPE_CHAR,
	TYPE_UINT64, /* seeds of generators; not in exercise.json */
};

struct dimension {
	enum { DIMENSION_NUMBER, DIMENSION_PARAMETER, DIMENSION_SPLICE } kind;
	size_t number;    /* NUMBER: itself */
	size_t parameter; /* PARAMETER: index of an earlier integer scalar;
			     SPLICE: of an earlier array of sizes */
};

struct parameter {
	const char *name;
	enum value_type type;
	bool is_array;
	bool output;   /* written by the function; only arrays can be */
	bool nullable; /* an array that may be NULL */
	bool open;     /* an array of one axis, written as name[], that may
			  have no elements: a list of sizes, say */
	const struct dimension *dimensions; /* of an array, outermost first */
	size_t n_dimensions;
	const char *says; /* what it is, for people; never NULL */
};

struct function {
	const char *name;
	const struct parameter *parameters;
	size_t n_parameters;
	bool returns; /* false: void */
	enum value_type return_type;
	const char *return_says; /* never NULL */
};

/*
 * One argument.  A scalar is held as number and, for the floating types, as
 * real.  An array is held as count elements of its type, row-major.
 */
struct value {
	bool is_null;    /* an array that is not given */
	uint64_t number; /* size_t, int (sign-extended), bool, char, uint64 */
	double real;     /* double and float */
	void *data;      /* arrays; of an output: NULL before the call */
	size_t count;    /* elements */
	size_t shape[AXES_MAX];
	size_t n_axes;
};

size_t type_bytes(enum value_type type);
const char *type_name(enum value_type type); /* as C spells it */
bool type_parse(const char *name, enum value_type *type_out); /* JSON's */
bool type_is_float(enum value_type type);

/* One element of an array: as value holds a scalar, and back. */
void element_store(enum value_type type, void *data, size_t element,
	uint64_t number, double real);
void element_load(enum value_type type, const void *data, size_t element,
	uint64_t *number_out, double *real_out);

/* The function's name in messages and JSON is its own; NULL if none has it. */
const struct function *function_find(const struct function *functions,
	size_t count, const char *name, size_t *index_out);
/* The index of a parameter, or function->n_parameters. */
size_t function_parameter(const struct function *function, const char *name);

/* Whether it is an integer that arrays and draws can name for a size. */
bool parameter_is_size(const struct parameter *parameter);

/* Whether another parameter splices this one's sizes into its shape. */
bool function_is_spliced(const struct function *function, size_t p);

/*
 * Fills in shape, n_axes and count of parameter number p from the arguments in
 * front of it: of an array that is not given 0 axes, of a scalar too.  A list
 * that is spliced must have its data by then; one that is not given adds no
 * axes.  An error (ERROR_EXERCISE) names the parameter when there are more
 * than AXES_MAX axes or more than ARRAY_BYTES_MAX bytes; so does a size below
 * 1, but for an open array's 0.
 */
bool function_shape(const struct function *function, size_t p,
	struct value *arguments, struct error *err)
	__attribute__((warn_unused_result));

/* "5 rows of 3", "18", "2 x 3 x 4": a shape for people, at most size bytes;
   "1" if it has no axes. */
void shape_describe(const size_t *shape, size_t n_axes, char *out, size_t size);
/* "[2][0]": where a row-major element is, at most size bytes; "" if the shape
   has no axes, as a result has none. */
void shape_describe_index(const size_t *shape, size_t n_axes, size_t element,
	char *out, size_t size);

/*
 * The functions that the C files of an exercise define (docs/exercises.md).
 *
 * reference_f: f's parameters, then for each floating output X an output
 * X_tolerance of type double and the same shape; f's result, if it is
 * floating, gets an output result[1] and result_tolerance[1], any other
 * result an output result[1].
 * generate_NAME for calls of f: seed, then f's scalars and input arrays in
 * order, the arrays as outputs, then an input argument[n_arguments].  A list
 * whose sizes are spliced stays an input: shapes are known before the call.
 * Without arguments, argument is nullable and is to be passed as NULL.
 *
 * More than PARAMETERS_MAX parameters are ERROR_EXERCISE.
 */
bool function_reference(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
	__attribute__((warn_unused_result));
bool function_generator(const struct function *function, const char *name,
	size_t n_arguments, struct arena *arena, struct function *out,
	struct error *err) __attribute__((warn_unused_result));
/* mistaken_f: f's parameters and result, then an input choice[n_stages]. */
bool function_mistaken(const struct function *function, size_t n_stages,
	struct arena *arena, struct function *out, struct error *err)
	__attribute__((warn_unused_result));
/*
 * explain_f: f's parameters, all of them inputs, and f's result, if it has one,
 * as a scalar result; then for each output X an input expected_X of the same
 * shape, and expected_result; then an output text[EXPLANATION_BYTES].  It
 * returns a bool.
 * steps_f: the same without what is expected, and text[STEPS_BYTES]; void.
 */
bool function_explain(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
	__attribute__((warn_unused_result));
bool function_steps(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
	__attribute__((warn_unused_result));
/* keep_f, of the search among mistakes (mistakes.h): f's parameters, all of
   them inputs, then f's result, then bytes[so many]. */
bool function_keep(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
