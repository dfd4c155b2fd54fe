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

/* One case, while it is drawn. */
struct drawing {
	const struct case_definition *definition;
	const struct function *function;
	struct arena *arena;
	struct value *arguments;
};

/* What one parameter is drawn from: the bounds are numbers by now. */
struct drawer {
	const struct draw *draw;
	enum value_type type;
	int64_t from, to;
};

static int64_t bound_value(
	const struct bound *bound, const struct value *arguments)
{
	return bound->is_parameter ? (int64_t)arguments[bound->parameter].number
				   : bound->number;
}

static bool start_drawer(const struct drawing *drawing, size_t p,
	struct drawer *out, struct error *err)
{
	const struct parameter *parameter = &drawing->function->parameters[p];
	const struct draw *draw = &drawing->definition->draws[p];
	const struct drawer drawer = {
		.draw = draw,
		.type = parameter->type,
		.from = bound_value(&draw->from, drawing->arguments),
		.to = bound_value(&draw->to, drawing->arguments),
	};

	if (draw->kind == DISTRIBUTION_INTEGERS && drawer.from > drawer.to)
		return error_set(err, ERROR_EXERCISE,
			"the integers of %s go from %lld down to %lld",
			parameter->name, (long long)drawer.from,
			(long long)drawer.to);
	*out = drawer;
	return true;
}

static void draw_element(const struct drawer *drawer, struct random *random,
	uint64_t *number_out, double *real_out)
{
	const struct draw *draw = drawer->draw;
	int64_t number = drawer->from;
	double real = draw->a;

	switch (draw->kind) {
	case DISTRIBUTION_NORMAL:
		real = random_normal(random, draw->a, draw->b);
		break;
	case DISTRIBUTION_UNIFORM:
		real = random_uniform(random, draw->a, draw->b);
		break;
	case DISTRIBUTION_INTEGERS:
		number = random_integer(random, drawer->from, drawer->to);
		real = (double)number;
		break;
	case DISTRIBUTION_CONSTANT:
	case DISTRIBUTION_GIVEN:
	case DISTRIBUTION_GENERATED:
		break;
	}
	*number_out = type_is_float(drawer->type) ? 0 : (uint64_t)number;
	*real_out = 0;
	if (type_is_float(drawer->type))
		*real_out =
			drawer->type == TYPE_FLOAT ? (double)(float)real : real;
}

static bool draw_scalar(const struct drawing *drawing, size_t p,
	struct random *random, struct error *err)
{
	struct value *value = &drawing->arguments[p];
	struct drawer drawer;

	if (!start_drawer(drawing, p, &drawer, err))
		return false;
	draw_element(&drawer, random, &value->number, &value->real);
	return true;
}

static bool draw_array(const struct drawing *drawing, size_t p,
	struct random *random, struct error *err)
{
	struct random own = random_start(random_bits(random));
	struct value *value = &drawing->arguments[p];
	struct drawer drawer;

	if (!start_drawer(drawing, p, &drawer, err) ||
		!function_shape(drawing->function, p, drawing->arguments, err))
		return false;
	value->data = arena_alloc(
		drawing->arena, value->count, type_bytes(drawer.type), err);
	if (!value->data)
		return false;
	for (size_t i = 0; i < value->count; i++) {
		uint64_t number;
		double real;

		draw_element(&drawer, &own, &number, &real);
		element_store(drawer.type, value->data, i, number, real);
	}
	return true;
}

static bool is_drawn(const struct draw *draw)
{
	return draw->kind != DISTRIBUTION_GIVEN &&
		draw->kind != DISTRIBUTION_GENERATED;
}

bool cases_draw(const struct case_definition *definition,
	const struct function *function, struct random *random,
	struct arena *arena, struct value *arguments, struct error *err)
{
	const struct drawing drawing = {definition, function, arena, arguments};

	memcpy(arguments, definition->values,
		function->n_parameters * sizeof(*arguments));
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!function->parameters[p].is_array &&
			is_drawn(&definition->draws[p]) &&
			!draw_scalar(&drawing, p, random, err))
			return false;
	}
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!function->parameters[p].is_array || arguments[p].data)
			continue;
		if (is_drawn(&definition->draws[p])
				? !draw_array(&drawing, p, random, err)
				: !function_shape(function, p, arguments, err))
			return false;
	}
	return true;
}
