/* SPDX-License-Identifier: MIT */
#include "grader/engine/function.h"

#include "base/arena.h"
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static_assert(sizeof(size_t) == sizeof(uint64_t), "x86-64 alone");

static const struct {
	const char *name;
	size_t bytes;
	bool is_float;
	bool in_json;
} types[] = {
	[TYPE_SIZE] = {"size_t", sizeof(size_t), false, true},
	[TYPE_INT] = {"int", sizeof(int), false, true},
	[TYPE_DOUBLE] = {"double", sizeof(double), true, true},
	[TYPE_FLOAT] = {"float", sizeof(float), true, true},
	[TYPE_BOOL] = {"bool", sizeof(bool), false, true},
	[TYPE_CHAR] = {"char", sizeof(char), false, true},
	[TYPE_UINT64] = {"uint64_t", sizeof(uint64_t), false, false},
};

size_t type_bytes(enum value_type type)
{
	return types[type].bytes;
}

const char *type_name(enum value_type type)
{
	return types[type].name;
}

bool type_parse(const char *name, enum value_type *type_out)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i].in_json && strcmp(types[i].name, name) == 0) {
			*type_out = (enum value_type)i;
			return true;
		}
	}
	return false;
}

bool type_is_float(enum value_type type)
{
	return types[type].is_float;
}

void element_store(enum value_type type, void *data, size_t element,
	uint64_t number, double real)
{
	switch (type) {
	case TYPE_SIZE:
	case TYPE_UINT64:
		((uint64_t *)data)[element] = number;
		break;
	case TYPE_INT:
		((int *)data)[element] = (int)(int64_t)number;
		break;
	case TYPE_DOUBLE:
		((double *)data)[element] = real;
		break;
	case TYPE_FLOAT:
		((float *)data)[element] = (float)real;
		break;
	case TYPE_BOOL:
	case TYPE_CHAR:
		((unsigned char *)data)[element] = (unsigned char)number;
		break;
	}
}

void element_load(enum value_type type, const void *data, size_t element,
	uint64_t *number_out, double *real_out)
{
	*number_out = 0;
	*real_out = 0;
	switch (type) {
	case TYPE_SIZE:
	case TYPE_UINT64:
		*number_out = ((const uint64_t *)data)[element];
		break;
	case TYPE_INT:
		*number_out = (uint64_t)(int64_t)((const int *)data)[element];
		break;
	case TYPE_DOUBLE:
		*real_out = ((const double *)data)[element];
		break;
	case TYPE_FLOAT:
		*real_out = (double)((const float *)data)[element];
		break;
	case TYPE_BOOL:
		*number_out = ((const unsigned char *)data)[element];
		break;
	case TYPE_CHAR:
		*number_out =
			(uint64_t)(int64_t)((const signed char *)data)[element];
		break;
	}
}

const struct function *function_find(const struct function *functions,
	size_t count, const char *name, size_t *index_out)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(functions[i].name, name) == 0) {
			*index_out = i;
			return &functions[i];
		}
	}
	return NULL;
}

size_t function_parameter(const struct function *function, const char *name)
{
	size_t p = 0;

	while (p < function->n_parameters &&
		strcmp(function->parameters[p].name, name) != 0)
		p++;
	return p;
}

bool parameter_is_size(const struct parameter *parameter)
{
	return !parameter->is_array &&
		(parameter->type == TYPE_SIZE || parameter->type == TYPE_INT);
}

bool function_is_spliced(const struct function *function, size_t p)
{
	for (size_t q = p + 1; q < function->n_parameters; q++) {
		const struct parameter *parameter = &function->parameters[q];

		for (size_t d = 0; d < parameter->n_dimensions; d++) {
			if (parameter->dimensions[d].kind == DIMENSION_SPLICE &&
				parameter->dimensions[d].parameter == p)
				return true;
		}
	}
	return false;
}

/* What function_shape() fills in, kept apart until all of it is right. */
struct shape {
	const struct function *function;
	const struct parameter *parameter;
	size_t axes[AXES_MAX];
	size_t n_axes;
};

/* size as an int64: a negative int is a negative size, not a huge one. */
static bool add_axis(struct shape *shape, int64_t size, const char *size_name,
	struct error *err)
{
	const struct parameter *parameter = shape->parameter;

	if (size < 0 || (size == 0 && !parameter->open))
		return error_set(err, ERROR_EXERCISE,
			"%s has no elements: its size %s is %lld",
			parameter->name, size_name, (long long)size);
	if (shape->n_axes == AXES_MAX)
		return error_set(err, ERROR_EXERCISE,
			"%s has more than %d axes", parameter->name, AXES_MAX);
	shape->axes[shape->n_axes++] = (size_t)size;
	return true;
}

/* size_t sizes past INT64_MAX are past every limit; so is INT64_MAX. */
static int64_t size_of_number(uint64_t number, enum value_type type)
{
	if (type == TYPE_SIZE && number > INT64_MAX)
		return INT64_MAX;
	return (int64_t)number;
}

static bool splice_axes(struct shape *shape, size_t p, const struct value *list,
	struct error *err)
{
	const char *name = shape->function->parameters[p].name;
	const size_t *sizes = list->data;
	char size_name[128];

	assert(sizes || list->count == 0);
	for (size_t i = 0; i < list->count; i++) {
		snprintf(size_name, sizeof(size_name), "%s[%zu]", name, i);
		if (!add_axis(shape, size_of_number(sizes[i], TYPE_SIZE),
			    size_name, err))
			return false;
	}
	return true;
}

static bool add_dimension(struct shape *shape,
	const struct dimension *dimension, const struct value *arguments,
	struct error *err)
{
	const struct parameter *named;
	char digits[24];

	switch (dimension->kind) {
	case DIMENSION_NUMBER:
		snprintf(digits, sizeof(digits), "%zu", dimension->number);
		return add_axis(shape,
			size_of_number(dimension->number, TYPE_SIZE), digits,
			err);
	case DIMENSION_PARAMETER:
		named = &shape->function->parameters[dimension->parameter];
		return add_axis(shape,
			size_of_number(arguments[dimension->parameter].number,
				named->type),
			named->name, err);
	case DIMENSION_SPLICE:
		break;
	}
	return splice_axes(shape, dimension->parameter,
		&arguments[dimension->parameter], err);
}

static bool count_elements(
	const struct shape *shape, size_t *count_out, struct error *err)
{
	const struct parameter *parameter = shape->parameter;
	size_t bytes = type_bytes(parameter->type);
	char described[AXES_MAX * 24];
	size_t count = 1;

	for (size_t a = 0; a < shape->n_axes; a++) {
		if (__builtin_mul_overflow(count, shape->axes[a], &count) ||
			count > ARRAY_BYTES_MAX / bytes) {
			shape_describe(shape->axes, shape->n_axes, described,
				sizeof(described));
			return error_set(err, ERROR_EXERCISE,
				"%s is too big: %s of %s, more than %zu MiB",
				parameter->name, described,
				type_name(parameter->type),
				ARRAY_BYTES_MAX >> 20);
		}
	}
	*count_out = count;
	return true;
}

bool function_shape(const struct function *function, size_t p,
	struct value *arguments, struct error *err)
{
	const struct parameter *parameter = &function->parameters[p];
	struct shape shape = {.function = function, .parameter = parameter};
	size_t count = 0;

	if (parameter->is_array && !arguments[p].is_null) {
		for (size_t d = 0; d < parameter->n_dimensions; d++) {
			if (!add_dimension(&shape, &parameter->dimensions[d],
				    arguments, err))
				return false;
		}
		if (!count_elements(&shape, &count, err))
			return false;
	}
	memcpy(arguments[p].shape, shape.axes, sizeof(shape.axes));
	arguments[p].n_axes = shape.n_axes;
	arguments[p].count = count;
	return true;
}

void shape_describe(const size_t *shape, size_t n_axes, char *out, size_t size)
{
	size_t used = 0;

	if (n_axes == 0) {
		snprintf(out, size, "1");
	} else if (n_axes == 2) {
		snprintf(out, size, "%zu row%s of %zu", shape[0],
			shape[0] == 1 ? "" : "s", shape[1]);
	} else {
		for (size_t a = 0; a < n_axes && used < size; a++)
			used += (size_t)snprintf(out + used, size - used,
				"%s%zu", a ? " x " : "", shape[a]);
	}
}

void shape_describe_index(const size_t *shape, size_t n_axes, size_t element,
	char *out, size_t size)
{
	size_t index[AXES_MAX];
	size_t used = 0;

	for (size_t a = n_axes; a-- > 0;) {
		index[a] = element % shape[a];
		element /= shape[a];
	}
	if (size > 0)
		out[0] = '\0';
	for (size_t a = 0; a < n_axes && used < size; a++)
		used += (size_t)snprintf(
			out + used, size - used, "[%zu]", index[a]);
}
