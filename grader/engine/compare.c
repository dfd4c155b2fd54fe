/* SPDX-License-Identifier: MIT */
#include "grader/engine/compare.h"

#include <math.h>
#include <string.h>

/* Errors within this part of an array's largest value look like float's. */
#define FLOAT_LIKE 2e-6

static bool same_class(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	if (isinf(a) || isinf(b))
		return a == b;
	return true;
}

static double element_real(
	enum value_type type, const struct value *v, size_t i)
{
	return type == TYPE_FLOAT ? (double)((const float *)v->data)[i]
				  : ((const double *)v->data)[i];
}

static int64_t element_number(
	enum value_type type, const struct value *value, size_t i)
{
	size_t bytes = type_bytes(type);
	uint64_t bits = 0;

	/* The machine is little-endian: the low bytes come first. */
	memcpy(&bits, (const char *)value->data + i * bytes, bytes);
	if (type == TYPE_INT)
		return (int32_t)bits;
	return type == TYPE_CHAR ? (int8_t)bits : (int64_t)bits;
}

/*
 * The first digit that is wrong, counted from the expected value's first one:
 * an error of half a unit in the n-th digit leaves n - 1 right.
 */
static int wrong_digit(double expected, double error)
{
	double digit;

	if (expected == 0 || !(error > 0) || !isfinite(error))
		return 0;
	digit = floor(log10(fabs(expected))) - floor(log10(2 * error)) + 1;
	if (digit < 1)
		return 1;
	return digit > 17 ? 17 : (int)digit;
}

static double largest(enum value_type type, const struct value *value)
{
	double most = 0;

	for (size_t i = 0; i < value->count; i++)
		most = fmax(most, fabs(element_real(type, value, i)));
	return most;
}

static void note_first(struct mismatch *m, const struct mismatch *here)
{
	size_t n_wrong = m->n_wrong;
	size_t n_elements = m->n_elements;
	bool lost = m->lost_precision;

	if (m->found)
		return;
	*m = *here;
	m->found = true;
	m->n_wrong = n_wrong;
	m->n_elements = n_elements;
	m->lost_precision = lost;
}

/* What one floating element is, and what it should be. */
static void load_real(struct mismatch *here, const struct value *expected,
	const struct value *tolerance, const struct value *got, size_t i)
{
	here->element = i;
	here->expected = element_real(here->type, expected, i);
	here->got = element_real(here->type, got, i);
	here->tolerance =
		tolerance->data ? ((const double *)tolerance->data)[i] : 0;
	here->error = fabs(here->got - here->expected);
}

static bool is_real_right(const struct mismatch *here)
{
	return same_class(here->expected, here->got) &&
		(!isfinite(here->expected) || here->error <= here->tolerance);
}

static bool are_bytes_right(enum value_type type, const struct value *expected,
	const struct value *got, size_t i)
{
	size_t bytes = type_bytes(type);

	return memcmp((const char *)expected->data + i * bytes,
		       (const char *)got->data + i * bytes, bytes) == 0;
}

static void compare_reals(struct mismatch *m, struct mismatch here,
	const struct value *expected, const struct value *tolerance,
	const struct value *got)
{
	double scale = largest(here.type, expected);

	for (size_t i = 0; i < expected->count; i++) {
		load_real(&here, expected, tolerance, got, i);
		if (is_real_right(&here))
			continue;
		m->n_wrong++;
		if (!(here.error <= FLOAT_LIKE * scale))
			m->lost_precision = false;
		here.wrong_digit = wrong_digit(here.expected, here.error);
		note_first(m, &here);
	}
}

static void compare_bytes(struct mismatch *m, struct mismatch here,
	const struct value *expected, const struct value *got)
{
	for (size_t i = 0; i < expected->count; i++) {
		if (are_bytes_right(here.type, expected, got, i))
			continue;
		here.element = i;
		here.expected_number = element_number(here.type, expected, i);
		here.got_number = element_number(here.type, got, i);
		m->n_wrong++;
		m->lost_precision = false;
		note_first(m, &here);
	}
}

struct mismatch compare_outputs(const struct function *function,
	const struct value *expected, const struct value *tolerance,
	const struct value *outputs)
{
	struct mismatch m = {.lost_precision = true};

	for (size_t p = 0; p <= function->n_parameters; p++) {
		struct mismatch here = {.output = p};

		if (!expected[p].data)
			continue;
		here.type = p < function->n_parameters
			? function->parameters[p].type
			: function->return_type;
		m.n_elements += expected[p].count;
		if (type_is_float(here.type))
			compare_reals(&m, here, &expected[p], &tolerance[p],
				&outputs[p]);
		else
			compare_bytes(&m, here, &expected[p], &outputs[p]);
	}
	m.lost_precision = m.lost_precision && m.found;
	return m;
}

void compare_elements(enum value_type type, const struct value *expected,
	const struct value *tolerance, const struct value *output,
	unsigned char *states)
{
	struct mismatch here = {.type = type};

	for (size_t i = 0; i < expected->count; i++) {
		bool right;

		if (type_is_float(type)) {
			load_real(&here, expected, tolerance, output, i);
			right = is_real_right(&here);
		} else {
			right = are_bytes_right(type, expected, output, i);
		}
		if (right)
			states[i] = ELEMENT_RIGHT;
		else
			states[i] =
				isnan(here.got) ? ELEMENT_NAN : ELEMENT_WRONG;
	}
}
