/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_reader.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Scalars ------------------------------------------------------------------ */

void reader_integer_range(
	enum value_type type, int64_t *min_out, int64_t *max_out)
{
	/* Of the floating types: all integers that they hold exactly. */
	static const struct {
		int64_t min, max;
	} ranges[] = {
		[TYPE_SIZE] = {0, (int64_t)1 << 53},
		[TYPE_INT] = {INT_MIN, INT_MAX},
		[TYPE_DOUBLE] = {-((int64_t)1 << 53), (int64_t)1 << 53},
		[TYPE_FLOAT] = {-(1 << 24), 1 << 24},
		[TYPE_BOOL] = {0, 1},
		[TYPE_CHAR] = {SCHAR_MIN, SCHAR_MAX},
		[TYPE_UINT64] = {0, INT64_MAX},
	};

	*min_out = ranges[type].min;
	*max_out = ranges[type].max;
}

bool reader_scalar(struct reader *reader, const cJSON *item,
	enum value_type type, struct value *out, struct error *err)
{
	struct value value = {0};
	int64_t number = 0;
	int64_t min;
	int64_t max;

	switch (type) {
	case TYPE_DOUBLE:
	case TYPE_FLOAT:
		if (!json_real(&reader->json, item,
			    type == TYPE_FLOAT ? (double)FLT_MAX : DBL_MAX,
			    &value.real, err))
			return false;
		if (type == TYPE_FLOAT)
			value.real = (double)(float)value.real;
		break;
	case TYPE_BOOL:
		if (!json_expect(&reader->json, item, JSON_BOOL, err))
			return false;
		value.number = cJSON_IsTrue(item) != 0;
		break;
	case TYPE_SIZE:
	case TYPE_INT:
	case TYPE_CHAR:
	case TYPE_UINT64:
		reader_integer_range(type, &min, &max);
		if (!json_integer(&reader->json, item, min, max, &number, err))
			return false;
		value.number = (uint64_t)number;
		break;
	}
	*out = value;
	return true;
}

/* Reading an array --------------------------------------------------------- */

/* An array of a known shape, on the way through its nesting. */
struct literal {
	struct reader *reader;
	const struct function *function;
	const struct parameter *parameter;
	struct value *value;
	size_t next;   /* element */
	int *decimals; /* or NULL */
};

/* "d", "batch[1]" or "": what an axis gets its size from. */
static void name_axis(
	const struct literal *literal, size_t axis, char *out, size_t size)
{
	const struct parameter *parameter = literal->parameter;
	const struct parameter *named;
	size_t n_axes = literal->value->n_axes;
	size_t spliced = 0;

	/* With one splice, what is over belongs to it. */
	if (n_axes + 1 > parameter->n_dimensions)
		spliced = n_axes + 1 - parameter->n_dimensions;
	snprintf(out, size, "%s", "");
	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		const struct dimension *dimension = &parameter->dimensions[d];
		size_t here = 1;

		if (dimension->kind == DIMENSION_SPLICE)
			here = spliced;
		if (axis >= here) {
			axis -= here;
			continue;
		}
		if (dimension->kind == DIMENSION_NUMBER)
			return;
		named = &literal->function->parameters[dimension->parameter];
		if (dimension->kind == DIMENSION_SPLICE)
			snprintf(out, size, " (%s[%zu])", named->name, axis);
		else
			snprintf(out, size, " (%s)", named->name);
		return;
	}
}

static const char *unit_of_axis(
	const struct literal *literal, size_t axis, size_t count)
{
	size_t inside = literal->value->n_axes - 1 - axis;

	if (inside == 1)
		return count == 1 ? "row" : "rows";
	if (inside > 1)
		return count == 1 ? "entry" : "entries";
	if (literal->parameter->type == TYPE_BOOL)
		return count == 1 ? "value" : "values";
	return count == 1 ? "number" : "numbers";
}

static bool read_element(
	struct literal *literal, const cJSON *item, struct error *err)
{
	struct value element;

	if (!reader_scalar(literal->reader, item, literal->parameter->type,
		    &element, err))
		return false;
	element_store(literal->parameter->type, literal->value->data,
		literal->next, element.number, element.real);
	if (literal->decimals)
		literal->decimals[literal->next] =
			json_decimals(&literal->reader->json, item);
	literal->next++;
	return true;
}

static bool read_axis(struct literal *literal, const cJSON *item, size_t axis,
	struct error *err)
{
	const struct json *json = &literal->reader->json;
	char name[128];
	size_t size;
	size_t count;

	if (axis == literal->value->n_axes)
		return read_element(literal, item, err);
	size = literal->value->shape[axis];
	name_axis(literal, axis, name, sizeof(name));
	if (!cJSON_IsArray(item))
		return json_expected(json, item, err, "an array of %zu %s%s",
			size, unit_of_axis(literal, axis, size), name);
	count = json_count(item);
	if (count != size)
		return json_fail(json, item, err, "has %zu %s, expected %zu%s",
			count, unit_of_axis(literal, axis, count), size, name);
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!read_axis(literal, child, axis + 1, err))
			return false;
	}
	return true;
}

bool reader_literal_of_shape(struct case_inputs *inputs, size_t p,
	const cJSON *item, struct value *value, const int **decimals_out,
	struct error *err)
{
	struct arena *arena = inputs->reader->arena;
	const struct parameter *parameter = &inputs->function->parameters[p];
	struct literal literal = {.reader = inputs->reader,
		.function = inputs->function,
		.parameter = parameter,
		.value = value};

	value->data = arena_alloc(
		arena, value->count, type_bytes(parameter->type), err);
	if (!value->data)
		return false;
	if (decimals_out && type_is_float(parameter->type)) {
		literal.decimals = arena_alloc(
			arena, value->count, sizeof(*literal.decimals), err);
		if (!literal.decimals)
			return false;
		*decimals_out = literal.decimals;
	}
	return read_axis(&literal, item, 0, err);
}

/* Sizes from the nesting --------------------------------------------------- */

/* The first array at that depth, or NULL where the nesting ends before. */
static const cJSON *first_at_depth(const cJSON *item, size_t depth)
{
	for (size_t i = 0; i < depth && item; i++)
		item = cJSON_IsArray(item) ? item->child : NULL;
	return item && cJSON_IsArray(item) ? item : NULL;
}

static size_t nesting(const cJSON *item)
{
	size_t depth = 0;

	while (item && cJSON_IsArray(item)) {
		item = item->child;
		depth++;
	}
	return depth;
}

/* A size is what this array's nesting says, if it is open still. */
static bool learn_size(struct case_inputs *inputs, size_t p, size_t size,
	const cJSON *item, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	struct value *value = &inputs->values[p];

	if (!inputs->known[p]) {
		inputs->known[p] = true;
		inputs->draws[p].kind = DISTRIBUTION_GIVEN;
		value->number = size;
		return true;
	}
	if (inputs->draws[p].kind == DISTRIBUTION_GIVEN)
		return true; /* read_axis() compares */
	return json_fail(&inputs->reader->json, item, err,
		"is given, but its size %s is drawn", parameter->name);
}

static bool learn_list(struct case_inputs *inputs, size_t p, const cJSON *item,
	size_t at, size_t n_axes, struct error *err)
{
	const struct parameter *list = &inputs->function->parameters[p];
	struct value *value = &inputs->values[p];
	size_t *sizes =
		arena_alloc(inputs->reader->arena, n_axes, sizeof(*sizes), err);

	if (!sizes)
		return false;
	for (size_t i = 0; i < n_axes; i++)
		sizes[i] = json_count(first_at_depth(item, at + i));
	if (list->dimensions[0].kind == DIMENSION_PARAMETER &&
		!learn_size(inputs, list->dimensions[0].parameter, n_axes, item,
			err))
		return false;
	inputs->known[p] = true;
	inputs->draws[p].kind = DISTRIBUTION_GIVEN;
	value->data = sizes;
	if (!function_shape(inputs->function, p, inputs->values, err) ||
		value->count != n_axes)
		return json_fail(&inputs->reader->json, item, err,
			"is nested %zu deep, which %s does not allow",
			nesting(item), list->name);
	return true;
}

/* How many axes a list adds: those it has, or else what the nesting leaves. */
static bool splice_list(struct case_inputs *inputs, size_t p,
	const struct dimension *dimension, size_t at, size_t *n_axes_out,
	struct error *err)
{
	size_t list = dimension->parameter;
	const cJSON *item = inputs->entries[p];
	size_t others = inputs->function->parameters[p].n_dimensions - 1;
	size_t depth = nesting(item);

	if (!inputs->known[list]) {
		*n_axes_out = depth > others ? depth - others : 0;
		return learn_list(inputs, list, item, at, *n_axes_out, err);
	}
	if (inputs->draws[list].kind != DISTRIBUTION_GIVEN)
		return json_fail(&inputs->reader->json, item, err,
			"is given, but its sizes %s are drawn",
			inputs->function->parameters[list].name);
	*n_axes_out = inputs->values[list].count;
	return true;
}

static bool learn_sizes(struct case_inputs *inputs, size_t p, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	const cJSON *item = inputs->entries[p];
	size_t axis = 0;

	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		const struct dimension *dimension = &parameter->dimensions[d];
		const cJSON *first = first_at_depth(item, axis);
		size_t n_axes = 1;

		if (dimension->kind == DIMENSION_SPLICE) {
			if (!splice_list(
				    inputs, p, dimension, axis, &n_axes, err))
				return false;
		} else if (dimension->kind == DIMENSION_PARAMETER) {
			/* Not nested that deep: what is wrong shows later. */
			if (!learn_size(inputs, dimension->parameter,
				    first ? json_count(first) : 1, item, err))
				return false;
		}
		axis += n_axes;
	}
	return true;
}

bool reader_literal(struct case_inputs *inputs, size_t p, struct error *err)
{
	const cJSON *item = inputs->entries[p];
	struct value *value = &inputs->values[p];
	struct error why = {0};

	if (!learn_sizes(inputs, p, err))
		return false;
	if (!function_shape(inputs->function, p, inputs->values, &why))
		return reader_fail_because(
			inputs->reader, item, "cannot be", &why, err);
	inputs->known[p] = true;
	inputs->draws[p].kind = DISTRIBUTION_GIVEN;
	return reader_literal_of_shape(inputs, p, item, value, NULL, err);
}
