/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Distributions ------------------------------------------------------------ */

/* The two numbers of [mean, deviation] or [from, to]. */
static bool read_pair(struct case_inputs *inputs, const cJSON *item,
	double pair[2], struct error *err)
{
	const struct json *json = &inputs->reader->json;

	if (!cJSON_IsArray(item) || json_count(item) != 2)
		return json_expected(json, item, err, "two numbers in [ ]");
	return json_real(json, item->child, DBL_MAX, &pair[0], err) &&
		json_real(json, item->child->next, DBL_MAX, &pair[1], err);
}

static bool read_normal(struct case_inputs *inputs, size_t p, const cJSON *item,
	struct draw *draw, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	double most = parameter->type == TYPE_FLOAT ? (double)FLT_MAX : DBL_MAX;
	double pair[2];

	if (!read_pair(inputs, item, pair, err))
		return false;
	if (pair[1] < 0)
		return json_expected(&inputs->reader->json, item->child->next,
			err, "a deviation of at least 0");
	/* All draws are within 6 deviations (random.h). */
	if (!(fabs(pair[0]) + 6 * pair[1] <= most))
		return json_fail(&inputs->reader->json, item, err,
			"can give numbers that no %s holds",
			type_name(parameter->type));
	*draw = (struct draw){
		.kind = DISTRIBUTION_NORMAL, .a = pair[0], .b = pair[1]};
	return true;
}

static bool read_uniform(struct case_inputs *inputs, size_t p,
	const cJSON *item, struct draw *draw, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	double most = parameter->type == TYPE_FLOAT ? (double)FLT_MAX : DBL_MAX;
	double pair[2];

	if (!read_pair(inputs, item, pair, err))
		return false;
	if (pair[0] > pair[1])
		return json_fail(&inputs->reader->json, item, err,
			"goes from %g down to %g", pair[0], pair[1]);
	if (!isfinite(pair[1] - pair[0]) || fabs(pair[0]) > most ||
		fabs(pair[1]) > most)
		return json_fail(&inputs->reader->json, item, err,
			"can give numbers that no %s holds",
			type_name(parameter->type));
	*draw = (struct draw){
		.kind = DISTRIBUTION_UNIFORM, .a = pair[0], .b = pair[1]};
	return true;
}

static bool read_bound(struct case_inputs *inputs, size_t p, const cJSON *item,
	struct bound *out, struct error *err)
{
	const struct function *function = inputs->function;
	const struct json *json = &inputs->reader->json;
	int64_t min;
	int64_t max;
	size_t named;

	if (cJSON_IsString(item)) {
		named = function_parameter(function, item->valuestring);
		if (named >= p ||
			!parameter_is_size(&function->parameters[named]))
			return json_expected(json, item, err,
				"a number or the name of an integer in front "
				"of %s",
				function->parameters[p].name);
		*out = (struct bound){.is_parameter = true, .parameter = named};
		return true;
	}
	if (!cJSON_IsNumber(item))
		return json_expected(json, item, err,
			"a number or the name of an integer in front of %s",
			function->parameters[p].name);
	reader_integer_range(function->parameters[p].type, &min, &max);
	*out = (struct bound){0};
	return json_integer(json, item, min, max, &out->number, err);
}

static bool read_integers(struct case_inputs *inputs, size_t p,
	const cJSON *item, struct draw *draw, struct error *err)
{
	struct draw integers = {.kind = DISTRIBUTION_INTEGERS};

	if (!cJSON_IsArray(item) || json_count(item) != 2)
		return json_expected(
			&inputs->reader->json, item, err, "two bounds in [ ]");
	if (!read_bound(inputs, p, item->child, &integers.from, err) ||
		!read_bound(inputs, p, item->child->next, &integers.to, err))
		return false;
	*draw = integers;
	return true;
}

static bool read_constant(struct case_inputs *inputs, size_t p,
	const cJSON *item, struct draw *draw, struct error *err)
{
	struct value value = {0};

	if (!reader_scalar(inputs->reader, item,
		    inputs->function->parameters[p].type, &value, err))
		return false;
	*draw = (struct draw){.kind = DISTRIBUTION_CONSTANT,
		.a = value.real,
		.from = {.number = (int64_t)value.number}};
	return true;
}

static const struct distribution {
	bool (*read)(struct case_inputs *inputs, size_t p, const cJSON *item,
		struct draw *draw, struct error *err);
	bool floating_only;
} distributions[] = {
	{read_normal, true},
	{read_uniform, true},
	{read_integers, false},
	{read_constant, false},
};

static const struct json_key distribution_keys[COUNT(distributions)] = {
	{"normal", JSON_ANY, false},
	{"uniform", JSON_ANY, false},
	{"integers", JSON_ANY, false},
	{"constant", JSON_ANY, false},
};

bool reader_distribution(
	struct case_inputs *inputs, size_t p, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	const struct json *json = &inputs->reader->json;
	const cJSON *item = inputs->entries[p];
	const cJSON *values[COUNT(distributions)];
	size_t d = 0;

	if (!json_object(json, item, distribution_keys, COUNT(distributions),
		    values, err))
		return false;
	if (json_count(item) != 1)
		return json_fail(json, item, err,
			"has %zu keys, expected one of normal, uniform, "
			"integers, constant",
			json_count(item));
	while (!values[d])
		d++;
	if (distributions[d].floating_only && !type_is_float(parameter->type))
		return json_fail(json, values[d], err,
			"is for double and float, but %s is %s",
			parameter->name, type_name(parameter->type));
	inputs->known[p] = true;
	return distributions[d].read(
		inputs, p, values[d], &inputs->draws[p], err);
}

/* The least and the most that can be drawn --------------------------------- */

static int64_t bound_value(
	const struct bound *bound, const struct value *values)
{
	return bound->is_parameter ? (int64_t)values[bound->parameter].number
				   : bound->number;
}

/* A list that is drawn, and spliced into shapes: so long, all sizes the same.
   One axis too many is as bad as a million. */
static bool fill_list(struct case_inputs *inputs, size_t p, int64_t size,
	struct value *values, struct error *err)
{
	size_t *sizes = arena_alloc(
		inputs->reader->arena, AXES_MAX + 1, sizeof(*sizes), err);

	if (!sizes)
		return false;
	for (size_t i = 0; i <= AXES_MAX; i++)
		sizes[i] = (size_t)size;
	values[p].data = sizes;
	if (values[p].count > AXES_MAX + 1)
		values[p].count = AXES_MAX + 1;
	return true;
}

/* Sets values to what the draws are at one end: their least or their most. */
static bool take_end(struct case_inputs *inputs, size_t p, bool most,
	struct value *values, struct error *err)
{
	const struct function *function = inputs->function;
	const struct draw *draw = &inputs->draws[p];
	struct error why = {0};
	int64_t number = draw->from.number;

	if (draw->kind == DISTRIBUTION_INTEGERS)
		number = bound_value(most ? &draw->to : &draw->from, values);
	if (draw->kind != DISTRIBUTION_GIVEN)
		values[p].number = (uint64_t)number;
	if (draw->kind == DISTRIBUTION_GIVEN && !function->parameters[p].output)
		return true;
	if (!function_shape(function, p, values, &why))
		return reader_fail_because(inputs->reader, inputs->inputs,
			most ? "can be too much" : "cannot be", &why, err);
	return !function_is_spliced(function, p) ||
		fill_list(inputs, p, number, values, err);
}

/* With two names the draw itself has to see: Tq and what is at least Tq. */
static bool check_order(struct case_inputs *inputs, size_t p,
	const struct value *least, const struct value *most, struct error *err)
{
	const struct draw *draw = &inputs->draws[p];
	int64_t from = bound_value(&draw->from, most);
	int64_t to = bound_value(&draw->to, least);

	if (from <= to || (draw->from.is_parameter && draw->to.is_parameter))
		return true;
	return json_fail(&inputs->reader->json, inputs->entries[p], err,
		"can go from %lld down to %lld", (long long)from,
		(long long)to);
}

/* Sizes in a list are 1 or more even where the list is empty at its least. */
static bool check_range(struct case_inputs *inputs, size_t p, int64_t from,
	int64_t to, struct error *err)
{
	int64_t min;
	int64_t max;

	reader_integer_range(inputs->function->parameters[p].type, &min, &max);
	if (function_is_spliced(inputs->function, p))
		min = 1;
	if (from >= min && to <= max)
		return true;
	return json_fail(&inputs->reader->json, inputs->entries[p], err,
		"can be %lld, expected %lld to %lld",
		(long long)(from < min ? from : to), (long long)min,
		(long long)max);
}

static bool check_integers(struct case_inputs *inputs, size_t p,
	const struct value *least, const struct value *most, struct error *err)
{
	const struct draw *draw = &inputs->draws[p];

	if (draw->kind == DISTRIBUTION_INTEGERS)
		return check_order(inputs, p, least, most, err) &&
			check_range(inputs, p, bound_value(&draw->from, least),
				bound_value(&draw->to, most), err);
	if (draw->kind == DISTRIBUTION_CONSTANT &&
		!type_is_float(inputs->function->parameters[p].type))
		return check_range(
			inputs, p, draw->from.number, draw->from.number, err);
	return true;
}

bool reader_check_draws(struct case_inputs *inputs, struct error *err)
{
	const struct function *function = inputs->function;
	struct value least[PARAMETERS_MAX];
	struct value most[PARAMETERS_MAX];
	size_t bytes = function->n_parameters * sizeof(*least);

	memcpy(least, inputs->values, bytes);
	memcpy(most, inputs->values, bytes);
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!check_integers(inputs, p, least, most, err) ||
			!take_end(inputs, p, false, least, err) ||
			!take_end(inputs, p, true, most, err))
			return false;
	}
	return true;
}
