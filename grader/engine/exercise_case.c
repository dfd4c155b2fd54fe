/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_reader.h"
#include "grader/engine/names.h"

#include <float.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum {
	CASE_NAME,
	CASE_INPUTS,
	CASE_COUNT,
	CASE_REPEAT,
	CASE_EXPECTED,
	CASE_GENERATOR,
	CASE_ARGUMENTS,
	N_CASE_KEYS
};

static const struct json_key case_keys[] = {
	[CASE_NAME] = {"name", JSON_STRING, true},
	[CASE_INPUTS] = {"inputs", JSON_OBJECT, true},
	[CASE_COUNT] = {"count", JSON_NUMBER, false},
	[CASE_REPEAT] = {"repeat", JSON_NUMBER, false},
	[CASE_EXPECTED] = {"expected", JSON_OBJECT, false},
	[CASE_GENERATOR] = {"generator", JSON_STRING, false},
	[CASE_ARGUMENTS] = {"arguments", JSON_ARRAY, false},
};

/* Inputs ------------------------------------------------------------------- */

static bool is_left_to_generator(const struct function *function, size_t p)
{
	return function->parameters[p].is_array &&
		!function_is_spliced(function, p);
}

static bool read_null(struct case_inputs *inputs, size_t p, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];

	if (!parameter->nullable)
		return json_fail(&inputs->reader->json, inputs->entries[p], err,
			"is null, but %s is not \"nullable\"", parameter->name);
	inputs->known[p] = true;
	inputs->values[p].is_null = true;
	return true;
}

static bool read_input(
	struct case_inputs *inputs, size_t p, bool generated, struct error *err)
{
	const struct parameter *parameter = &inputs->function->parameters[p];
	const cJSON *item = inputs->entries[p];

	if (cJSON_IsNull(item))
		return read_null(inputs, p, err);
	if (generated && is_left_to_generator(inputs->function, p))
		return json_fail(&inputs->reader->json, item, err,
			"is given, but the generator writes it");
	if (cJSON_IsObject(item))
		return reader_distribution(inputs, p, err);
	if (parameter->is_array)
		return reader_literal(inputs, p, err);
	inputs->known[p] = true;
	return reader_scalar(
		inputs->reader, item, parameter->type, &inputs->values[p], err);
}

/* Sorts the entries by parameter. */
static bool find_entries(struct case_inputs *inputs, struct error *err)
{
	const struct function *function = inputs->function;
	struct json_key keys[PARAMETERS_MAX];
	const cJSON *values[PARAMETERS_MAX];
	size_t places[PARAMETERS_MAX];
	size_t count = 0;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(
			inputs->inputs, parameter->name);

		if (parameter->output) {
			if (item)
				return json_fail(&inputs->reader->json, item,
					err, "is an output of %s, not an input",
					function->name);
			continue;
		}
		keys[count] =
			(struct json_key){parameter->name, JSON_ANY, false};
		places[count++] = p;
	}
	if (!json_object(&inputs->reader->json, inputs->inputs, keys, count,
		    values, err))
		return false;
	for (size_t i = 0; i < count; i++)
		inputs->entries[places[i]] = values[i];
	return true;
}

static bool read_inputs(
	struct case_inputs *inputs, bool generated, struct error *err)
{
	const struct function *function = inputs->function;

	if (!find_entries(inputs, err))
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (inputs->entries[p] &&
			!read_input(inputs, p, generated, err))
			return false;
	}
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (inputs->known[p] || function->parameters[p].output)
			continue;
		if (!generated || !is_left_to_generator(function, p))
			return json_fail(&inputs->reader->json, inputs->inputs,
				err, "has no \"%s\"",
				function->parameters[p].name);
		inputs->draws[p].kind = DISTRIBUTION_GENERATED;
	}
	return true;
}

/* Expected ----------------------------------------------------------------- */

static bool read_result(struct case_inputs *inputs, const cJSON *item,
	struct value *value, const int **decimals_out, struct error *err)
{
	enum value_type type = inputs->function->return_type;
	struct arena *arena = inputs->reader->arena;
	struct value scalar = {0};
	int *decimals = arena_alloc(arena, 1, sizeof(*decimals), err);

	value->data = arena_alloc(arena, 1, type_bytes(type), err);
	if (!decimals || !value->data ||
		!reader_scalar(inputs->reader, item, type, &scalar, err))
		return false;
	element_store(type, value->data, 0, scalar.number, scalar.real);
	value->count = 1;
	if (type_is_float(type)) {
		*decimals = json_decimals(&inputs->reader->json, item);
		*decimals_out = decimals;
	}
	return true;
}

static bool read_expected_value(struct case_inputs *inputs, const cJSON *item,
	struct value *expected, const int **decimals, struct error *err)
{
	const struct function *function = inputs->function;
	size_t p = function_parameter(function, item->string);

	if (p == function->n_parameters)
		return read_result(
			inputs, item, &expected[p], &decimals[p], err);
	expected[p] = inputs->values[p];
	return reader_literal_of_shape(
		inputs, p, item, &expected[p], &decimals[p], err);
}

static bool read_expected(struct case_inputs *inputs, const cJSON *item,
	struct case_definition *out, struct error *err)
{
	const struct function *function = inputs->function;
	struct arena *arena = inputs->reader->arena;
	struct json_key keys[PARAMETERS_MAX + 1];
	const cJSON *found[PARAMETERS_MAX + 1];
	size_t room = function->n_parameters + 1;
	struct value *expected =
		arena_alloc(arena, room, sizeof(*expected), err);
	const int **decimals = arena_alloc(arena, room, sizeof(*decimals), err);
	size_t count = 0;

	if (!expected || !decimals)
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output)
			keys[count++] = (struct json_key){
				function->parameters[p].name, JSON_ANY, false};
	}
	if (function->returns)
		keys[count++] = (struct json_key){"result", JSON_ANY, false};
	if (!json_object(&inputs->reader->json, item, keys, count, found, err))
		return false;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!read_expected_value(
			    inputs, child, expected, decimals, err))
			return false;
	}
	out->expected = expected;
	out->decimals = decimals;
	return true;
}

/* Generators --------------------------------------------------------------- */

static bool read_arguments(struct reader *reader, const cJSON *item,
	struct case_definition *out, struct error *err)
{
	size_t count = json_count(item);
	double *arguments;
	size_t i = 0;

	if (count > GENERATOR_ARGUMENTS_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu numbers, expected at most %d", count,
			GENERATOR_ARGUMENTS_MAX);
	arguments = arena_alloc(reader->arena, count, sizeof(*arguments), err);
	if (!arguments)
		return false;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!json_real(&reader->json, child, DBL_MAX, &arguments[i++],
			    err))
			return false;
	}
	out->generator_arguments = arguments;
	out->n_generator_arguments = count;
	return true;
}

static size_t n_arguments_of(const struct function *generator)
{
	const struct parameter *last =
		&generator->parameters[generator->n_parameters - 1];

	return last->dimensions[0].number;
}

/* A generator is one C function: all who name it must agree what it takes. */
static bool check_generator(struct reader *reader,
	const struct function *function, const cJSON *item,
	const struct case_definition *out, struct error *err)
{
	const struct function *functions = reader->exercise->functions;
	size_t index = out->generator_index;
	size_t takes = n_arguments_of(&reader->generators[index]);
	const struct function *of = &functions[reader->generated[index]];

	if (of != function)
		return json_fail(&reader->json, item, err,
			"is \"%s\", which is for calls of %s, not %s",
			out->generator, of->name, function->name);
	if (takes != out->n_generator_arguments)
		return json_fail(&reader->json, item, err,
			"is \"%s\" with %zu argument%s here, but with %zu in "
			"an earlier case",
			out->generator, out->n_generator_arguments,
			out->n_generator_arguments == 1 ? "" : "s", takes);
	return true;
}

static bool read_generator(struct reader *reader,
	const struct function *function, const cJSON *item,
	struct case_definition *out, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	size_t count = exercise->n_generator_functions;
	struct error why = {0};

	if (!reader_name(reader, item, name_problem_of_generator,
		    &out->generator, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (strcmp(reader->generators[i].name + strlen("generate_"),
			    out->generator) == 0) {
			out->generator_index = i;
			return check_generator(
				reader, function, item, out, err);
		}
	}
	if (count == GENERATORS_MAX)
		return json_fail(&reader->json, item, err,
			"is one more generator than the %d there may be",
			GENERATORS_MAX);
	if (!function_generator(function, out->generator,
		    out->n_generator_arguments, reader->arena,
		    &reader->generators[count], &why))
		return reader_fail_because(
			reader, item, "cannot be called", &why, err);
	reader->generated[count] = (size_t)(function - exercise->functions);
	out->generator_index = count;
	exercise->n_generator_functions++;
	return true;
}

/* A case ------------------------------------------------------------------- */

static bool read_count(struct reader *reader, const cJSON *item, size_t most,
	size_t *out, struct error *err)
{
	int64_t number = 1;

	if (item &&
		!json_integer(
			&reader->json, item, 1, (int64_t)most, &number, err))
		return false;
	*out = (size_t)number;
	return true;
}

static bool read_head(struct reader *reader, const struct function *function,
	const cJSON *const values[], struct case_definition *out,
	struct error *err)
{
	if (!reader_name(reader, values[CASE_NAME], name_problem_of_label,
		    &out->name, err) ||
		!read_count(reader, values[CASE_COUNT], CASE_COUNT_MAX,
			&out->count, err) ||
		!read_count(reader, values[CASE_REPEAT], CASE_REPEAT_MAX,
			&out->repeat, err))
		return false;
	if (values[CASE_ARGUMENTS] && !values[CASE_GENERATOR])
		return json_fail(&reader->json, values[CASE_ARGUMENTS], err,
			"is for a generator, but there is no \"generator\"");
	if (values[CASE_ARGUMENTS] &&
		!read_arguments(reader, values[CASE_ARGUMENTS], out, err))
		return false;
	return !values[CASE_GENERATOR] ||
		read_generator(
			reader, function, values[CASE_GENERATOR], out, err);
}

static enum case_kind find_kind(const struct case_inputs *inputs,
	const struct case_definition *definition)
{
	if (definition->generator)
		return CASE_GENERATED;
	for (size_t p = 0; p < inputs->function->n_parameters; p++) {
		if (inputs->draws[p].kind != DISTRIBUTION_GIVEN)
			return CASE_RANDOM;
	}
	return CASE_EXPLICIT;
}

/* Only the outputs have no shape yet, and reader_check_draws() found it good.
 */
static bool shape_outputs(struct case_inputs *inputs, struct error *err)
{
	for (size_t p = 0; p < inputs->function->n_parameters; p++) {
		if (inputs->function->parameters[p].output &&
			!function_shape(
				inputs->function, p, inputs->values, err))
			return false;
	}
	return true;
}

static bool finish_case(struct case_inputs *inputs, const cJSON *const values[],
	struct case_definition *out, struct error *err)
{
	const struct json *json = &inputs->reader->json;

	out->kind = find_kind(inputs, out);
	if (out->kind != CASE_EXPLICIT) {
		if (values[CASE_EXPECTED])
			return json_fail(json, values[CASE_EXPECTED], err,
				"is for cases whose inputs are all given");
		return true;
	}
	if (out->count > 1)
		return json_fail(json, values[CASE_COUNT], err,
			"is %zu, but the inputs are all given: the cases "
			"would be the same",
			out->count);
	if (!shape_outputs(inputs, err))
		return false;
	return !values[CASE_EXPECTED] ||
		read_expected(inputs, values[CASE_EXPECTED], out, err);
}

bool reader_read_case(struct reader *reader, const struct function *function,
	const cJSON *item, struct case_definition *out, struct error *err)
{
	struct case_inputs inputs = {.reader = reader, .function = function};
	const cJSON *values[N_CASE_KEYS];

	if (!json_object(
		    &reader->json, item, case_keys, N_CASE_KEYS, values, err) ||
		!read_head(reader, function, values, out, err))
		return false;
	inputs.inputs = values[CASE_INPUTS];
	inputs.draws = arena_alloc(reader->arena, function->n_parameters,
		sizeof(*inputs.draws), err);
	inputs.values = arena_alloc(reader->arena, function->n_parameters,
		sizeof(*inputs.values), err);
	if (!inputs.draws || !inputs.values)
		return false;
	if (!read_inputs(&inputs, out->generator != NULL, err) ||
		!reader_check_draws(&inputs, err) ||
		!finish_case(&inputs, values, out, err))
		return false;
	out->draws = inputs.draws;
	out->values = inputs.values;
	out->line = json_line(&reader->json, item);
	return true;
}
