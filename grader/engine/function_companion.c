/* SPDX-License-Identifier: MIT */

/*
 * The functions that the C files of an exercise define for each function that
 * is asked of the learner, made from it parameter by parameter.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/function.h"

#include <string.h>

/* A function that is made from another one, parameter by parameter. */
struct companion {
	struct arena *arena;
	struct function function;
	struct parameter *parameters; /* PARAMETERS_MAX of them */
	size_t moved[PARAMETERS_MAX]; /* where the other's parameters are now */
};

static bool companion_start(struct companion *companion, const char *prefix,
	const char *name, struct error *err)
{
	struct arena *arena = companion->arena;

	companion->parameters = arena_alloc(
		arena, PARAMETERS_MAX, sizeof(*companion->parameters), err);
	companion->function.parameters = companion->parameters;
	companion->function.return_says = "";
	companion->function.name =
		arena_printf(arena, err, "%s_%s", prefix, name);
	return companion->parameters && companion->function.name;
}

static struct parameter *companion_add(
	struct companion *companion, struct error *err)
{
	struct function *function = &companion->function;

	if (function->n_parameters == PARAMETERS_MAX) {
		(void)error_set(err, ERROR_EXERCISE,
			"%s would have more than %d parameters", function->name,
			PARAMETERS_MAX);
		return NULL;
	}
	return &companion->parameters[function->n_parameters++];
}

static bool companion_add_copy(struct companion *companion,
	const struct function *function, size_t p, struct error *err)
{
	const struct parameter *parameter = &function->parameters[p];
	struct parameter *copy = companion_add(companion, err);
	struct dimension *dimensions;

	if (!copy)
		return false;
	dimensions = arena_alloc(companion->arena, parameter->n_dimensions,
		sizeof(*dimensions), err);
	if (!dimensions)
		return false;
	companion->moved[p] = companion->function.n_parameters - 1;
	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		dimensions[d] = parameter->dimensions[d];
		if (dimensions[d].kind != DIMENSION_NUMBER)
			dimensions[d].parameter =
				companion->moved[dimensions[d].parameter];
	}
	*copy = *parameter;
	copy->dimensions = dimensions;
	return true;
}

static bool companion_add_array(struct companion *companion,
	const struct parameter *like, size_t number, struct error *err)
{
	struct parameter *array = companion_add(companion, err);
	struct dimension *dimension =
		arena_alloc(companion->arena, 1, sizeof(*dimension), err);

	if (!array || !dimension)
		return false;
	*dimension = (struct dimension){DIMENSION_NUMBER, number, 0};
	*array = *like;
	array->is_array = true;
	array->dimensions = dimension;
	array->n_dimensions = 1;
	return true;
}

static bool companion_add_scalar(struct companion *companion,
	const struct parameter *scalar, struct error *err)
{
	struct parameter *added = companion_add(companion, err);

	if (!added)
		return false;
	*added = *scalar;
	return true;
}

static bool companion_add_tolerance(struct companion *companion,
	const struct function *function, size_t p, struct error *err)
{
	struct parameter *copy;

	if (!companion_add_copy(companion, function, p, err))
		return false;
	companion->moved[p] = p;
	copy = &companion->parameters[companion->function.n_parameters - 1];
	copy->type = TYPE_DOUBLE;
	copy->says = "how far off each element may be";
	copy->name = arena_printf(companion->arena, err, "%s_tolerance",
		function->parameters[p].name);
	return copy->name != NULL;
}

bool function_reference(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
{
	struct companion companion = {.arena = arena};
	const struct parameter result = {.name = "result",
		.type = function->return_type,
		.output = true,
		.says = function->return_says};
	const struct parameter tolerance = {.name = "result_tolerance",
		.type = TYPE_DOUBLE,
		.output = true,
		.says = "how far off the result may be"};

	if (!companion_start(&companion, "reference", function->name, err))
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!companion_add_copy(&companion, function, p, err))
			return false;
	}
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output &&
			type_is_float(function->parameters[p].type) &&
			!companion_add_tolerance(&companion, function, p, err))
			return false;
	}
	if (function->returns &&
		!companion_add_array(&companion, &result, 1, err))
		return false;
	if (function->returns && type_is_float(function->return_type) &&
		!companion_add_array(&companion, &tolerance, 1, err))
		return false;
	*out = companion.function;
	return true;
}

bool function_generator(const struct function *function, const char *name,
	size_t n_arguments, struct arena *arena, struct function *out,
	struct error *err)
{
	struct companion companion = {.arena = arena};
	const struct parameter argument = {.name = "argument",
		.type = TYPE_DOUBLE,
		.nullable = n_arguments == 0,
		.open = true,
		.says = "the arguments of the case"};
	const struct parameter seed = {.name = "seed",
		.type = TYPE_UINT64,
		.says = "where to start the numbers from"};

	if (!companion_start(&companion, "generate", name, err) ||
		!companion_add_scalar(&companion, &seed, err))
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];

		if (parameter->output)
			continue;
		if (!companion_add_copy(&companion, function, p, err))
			return false;
		companion.parameters[companion.moved[p]].output =
			parameter->is_array &&
			!function_is_spliced(function, p);
	}
	if (!companion_add_array(&companion, &argument, n_arguments, err))
		return false;
	*out = companion.function;
	return true;
}

bool function_mistaken(const struct function *function, size_t n_stages,
	struct arena *arena, struct function *out, struct error *err)
{
	struct companion companion = {.arena = arena};
	const struct parameter choice = {.name = "choice",
		.type = TYPE_INT,
		.says = "which mistake of each stage to make; 0: none"};

	if (!companion_start(&companion, "mistaken", function->name, err))
		return false;
	companion.function.returns = function->returns;
	companion.function.return_type = function->return_type;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!companion_add_copy(&companion, function, p, err))
			return false;
	}
	if (!companion_add_array(&companion, &choice, n_stages, err))
		return false;
	*out = companion.function;
	return true;
}

/* A call that was made: f's parameters and what came out of it, as inputs. */
static bool companion_add_call(struct companion *companion,
	const struct function *function, struct error *err)
{
	const struct parameter result = {.name = "result",
		.type = function->return_type,
		.says = function->return_says};

	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!companion_add_copy(companion, function, p, err))
			return false;
		companion->parameters[p].output = false;
	}
	return !function->returns ||
		companion_add_scalar(companion, &result, err);
}

/* What should have come out of it. */
static bool companion_add_expected(struct companion *companion,
	const struct function *function, struct error *err)
{
	const struct parameter result = {.name = "expected_result",
		.type = function->return_type,
		.says = "the right result"};

	for (size_t p = 0; p < function->n_parameters; p++) {
		struct parameter *copy;

		if (!function->parameters[p].output)
			continue;
		if (!companion_add_copy(companion, function, p, err))
			return false;
		copy = &companion->parameters[companion->moved[p]];
		companion->moved[p] = p;
		copy->output = false;
		copy->says = "what is right";
		copy->name = arena_printf(companion->arena, err, "expected_%s",
			function->parameters[p].name);
		if (!copy->name)
			return false;
	}
	return !function->returns ||
		companion_add_scalar(companion, &result, err);
}

static bool companion_add_text(
	struct companion *companion, size_t bytes, struct error *err)
{
	const struct parameter text = {.name = "text",
		.type = TYPE_CHAR,
		.output = true,
		.says = "for people; ends with a NUL"};

	return companion_add_array(companion, &text, bytes, err);
}

bool function_explain(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
{
	struct companion companion = {.arena = arena};

	if (!companion_start(&companion, "explain", function->name, err) ||
		!companion_add_call(&companion, function, err) ||
		!companion_add_expected(&companion, function, err) ||
		!companion_add_text(&companion, EXPLANATION_BYTES, err))
		return false;
	companion.function.returns = true;
	companion.function.return_type = TYPE_BOOL;
	*out = companion.function;
	return true;
}

bool function_steps(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
{
	struct companion companion = {.arena = arena};

	if (!companion_start(&companion, "steps", function->name, err) ||
		!companion_add_call(&companion, function, err) ||
		!companion_add_text(&companion, STEPS_BYTES, err))
		return false;
	*out = companion.function;
	return true;
}

bool function_keep(const struct function *function, struct arena *arena,
	struct function *out, struct error *err)
{
	struct companion companion = {.arena = arena};
	const struct parameter bytes = {
		.name = "bytes", .type = TYPE_SIZE, .says = "of each array"};

	if (!companion_start(&companion, "keep", function->name, err) ||
		!companion_add_call(&companion, function, err))
		return false;
	if (!companion_add_array(
		    &companion, &bytes, companion.function.n_parameters, err))
		return false;
	*out = companion.function;
	return true;
}
