/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases_draw.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/hash.h"
#include "grader/engine/random.h"

#include <string.h>

uint64_t cases_seed(
	const struct case_request *request, const char *name, bool hidden)
{
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, "grader/case/1");
	hash_add_number(&hash, request->seed);
	hash_add_string(&hash, name);
	if (hidden && request->secret)
		hash_add(&hash, request->secret, request->secret_len);
	return hash_number(&hash);
}

/* A draw whose bounds are numbers by now. */
struct drawer {
	const struct parameter *parameter;
	struct draw draw;
	int64_t from, to;
	struct random *random;
};

static void draw_element(
	struct drawer *drawer, uint64_t *number_out, double *real_out)
{
	const struct draw *draw = &drawer->draw;
	enum value_type type = drawer->parameter->type;
	int64_t number = drawer->from;
	double real = draw->a;

	switch (draw->kind) {
	case DISTRIBUTION_NORMAL:
		real = random_normal(drawer->random, draw->a, draw->b);
		break;
	case DISTRIBUTION_UNIFORM:
		real = random_uniform(drawer->random, draw->a, draw->b);
		break;
	case DISTRIBUTION_INTEGERS:
		number = random_integer(
			drawer->random, drawer->from, drawer->to);
		real = (double)number;
		break;
	case DISTRIBUTION_CONSTANT:
	case DISTRIBUTION_GIVEN:
	case DISTRIBUTION_GENERATED:
		break;
	}
	*number_out = type_is_float(type) ? 0 : (uint64_t)number;
	*real_out = 0;
	if (type_is_float(type))
		*real_out = type == TYPE_FLOAT ? (double)(float)real : real;
}

static int64_t bound_value(
	const struct bound *bound, const struct value *arguments)
{
	return bound->is_parameter ? (int64_t)arguments[bound->parameter].number
				   : bound->number;
}

static bool start_draw(struct drawer *drawer, const struct draw *draw,
	const struct value *arguments, struct error *err)
{
	drawer->draw = *draw;
	drawer->from = bound_value(&draw->from, arguments);
	drawer->to = bound_value(&draw->to, arguments);
	if (draw->kind == DISTRIBUTION_INTEGERS && drawer->from > drawer->to)
		return error_set(err, ERROR_EXERCISE,
			"the integers of %s go from %lld down to %lld",
			drawer->parameter->name, (long long)drawer->from,
			(long long)drawer->to);
	return true;
}

static bool draw_array(const struct draw *draw, const struct function *function,
	size_t p, struct random *random, struct arena *arena,
	struct value *arguments, struct error *err)
{
	struct random own = random_start(random_bits(random));
	struct drawer drawer = {
		.parameter = &function->parameters[p], .random = &own};
	struct value *value = &arguments[p];
	enum value_type type = drawer.parameter->type;

	if (!start_draw(&drawer, draw, arguments, err) ||
		!function_shape(function, p, arguments, err))
		return false;
	value->data = arena_alloc(arena, value->count, type_bytes(type), err);
	if (!value->data)
		return false;
	for (size_t i = 0; i < value->count; i++) {
		uint64_t number;
		double real;

		draw_element(&drawer, &number, &real);
		element_store(type, value->data, i, number, real);
	}
	return true;
}

static bool draw_scalar(const struct draw *draw,
	const struct parameter *parameter, struct random *random,
	struct value *arguments, struct value *value, struct error *err)
{
	struct drawer drawer = {.parameter = parameter, .random = random};

	if (!start_draw(&drawer, draw, arguments, err))
		return false;
	draw_element(&drawer, &value->number, &value->real);
	return true;
}

static bool is_drawn(const struct draw *draw)
{
	return draw->kind != DISTRIBUTION_GIVEN &&
		draw->kind != DISTRIBUTION_GENERATED;
}

bool cases_draw(const struct case_definition *definition,
	const struct function *function, uint64_t seed, struct arena *arena,
	struct value *arguments, uint64_t *generator_seed_out,
	struct error *err)
{
	struct random random = random_start(seed);

	memcpy(arguments, definition->values,
		function->n_parameters * sizeof(*arguments));
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct draw *draw = &definition->draws[p];

		if (!function->parameters[p].is_array && is_drawn(draw) &&
			!draw_scalar(draw, &function->parameters[p], &random,
				arguments, &arguments[p], err))
			return false;
	}
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct draw *draw = &definition->draws[p];

		if (!function->parameters[p].is_array || arguments[p].data)
			continue;
		if (is_drawn(draw)
				? !draw_array(draw, function, p, &random, arena,
					  arguments, err)
				: !function_shape(function, p, arguments, err))
			return false;
	}
	*generator_seed_out = random_bits(&random);
	return true;
}
