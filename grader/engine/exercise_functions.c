/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_reader.h"
#include "grader/engine/names.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool read_type(struct reader *reader, const cJSON *item,
	enum value_type *type_out, struct error *err)
{
	static const char *const names[] = {
		"size_t", "int", "double", "float", "bool", "char"};

	if (!json_expect(&reader->json, item, JSON_STRING, err))
		return false;
	return type_parse(item->valuestring, type_out) ||
		reader_fail_word(
			reader, item, "a type", names, COUNT(names), err);
}

/* Dimensions --------------------------------------------------------------- */

static bool is_list_of_sizes(const struct parameter *parameter)
{
	return parameter->is_array && !parameter->output &&
		parameter->type == TYPE_SIZE && parameter->n_dimensions == 1 &&
		parameter->dimensions[0].kind != DIMENSION_SPLICE;
}

/* function has the parameters in front alone. */
static bool read_named_dimension(struct reader *reader,
	const struct function *function, const cJSON *item,
	struct dimension *out, struct error *err)
{
	const char *name = item->valuestring;
	bool splice = *name == '*';
	size_t p = function_parameter(function, name + splice);

	if (p == function->n_parameters)
		return json_expected(&reader->json, item, err,
			"the name of a parameter in front of this one");
	if (splice && !is_list_of_sizes(&function->parameters[p]))
		return json_expected(&reader->json, item, err,
			"* and the name of an input of type size_t with one "
			"axis");
	if (!splice && !parameter_is_size(&function->parameters[p]))
		return json_expected(&reader->json, item, err,
			"the name of a scalar of type size_t or int");
	*out = (struct dimension){
		.kind = splice ? DIMENSION_SPLICE : DIMENSION_PARAMETER,
		.parameter = p};
	return true;
}

static bool read_dimension(struct reader *reader,
	const struct function *function, const cJSON *item,
	struct dimension *out, struct error *err)
{
	int64_t number = 0;

	if (cJSON_IsString(item))
		return read_named_dimension(reader, function, item, out, err);
	if (!cJSON_IsNumber(item))
		return json_expected(&reader->json, item, err,
			"a number or the name of a parameter");
	if (!json_integer(&reader->json, item, 1, (int64_t)ARRAY_BYTES_MAX,
		    &number, err))
		return false;
	*out = (struct dimension){
		.kind = DIMENSION_NUMBER, .number = (size_t)number};
	return true;
}

static bool read_dimensions(struct reader *reader,
	const struct function *function, const cJSON *item,
	struct parameter *parameter, struct error *err)
{
	size_t count = json_count(item);
	struct dimension *dimensions;
	size_t d = 0;
	size_t n_splices = 0;

	if (count == 0)
		return json_fail(&reader->json, item, err,
			"is empty; a scalar has no \"dims\"");
	if (count > AXES_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu entries, expected at most %d", count,
			AXES_MAX);
	dimensions =
		arena_alloc(reader->arena, count, sizeof(*dimensions), err);
	if (!dimensions)
		return false;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!read_dimension(
			    reader, function, child, &dimensions[d], err))
			return false;
		n_splices += dimensions[d++].kind == DIMENSION_SPLICE;
	}
	if (n_splices > 1)
		return json_fail(&reader->json, item, err,
			"has %zu lists, expected at most one", n_splices);
	parameter->is_array = true;
	parameter->dimensions = dimensions;
	parameter->n_dimensions = count;
	parameter->open = is_list_of_sizes(parameter) &&
		dimensions[0].kind == DIMENSION_PARAMETER;
	return true;
}

/* Parameters --------------------------------------------------------------- */

static bool read_direction(struct reader *reader, const cJSON *item,
	bool *output_out, struct error *err)
{
	static const char *const names[] = {"in", "out"};

	*output_out = strcmp(item->valuestring, "out") == 0;
	return *output_out || strcmp(item->valuestring, "in") == 0 ||
		reader_fail_word(
			reader, item, "a direction", names, COUNT(names), err);
}

static bool read_parameter(struct reader *reader,
	const struct function *function, const cJSON *item,
	struct parameter *out, struct error *err)
{
	enum { NAME, TYPE, SAYS, DIMS, DIRECTION, NULLABLE };
	static const struct json_key keys[] = {
		[NAME] = {"name", JSON_STRING, true},
		[TYPE] = {"type", JSON_STRING, true},
		[SAYS] = {"says", JSON_STRING, true},
		[DIMS] = {"dims", JSON_ARRAY, false},
		[DIRECTION] = {"direction", JSON_STRING, false},
		[NULLABLE] = {"nullable", JSON_BOOL, false},
	};
	const cJSON *values[COUNT(keys)];
	size_t same;

	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err) ||
		!reader_name(reader, values[NAME], name_problem_of_parameter,
			&out->name, err) ||
		!read_type(reader, values[TYPE], &out->type, err) ||
		!reader_line(reader, values[SAYS], &out->says, err))
		return false;
	same = function_parameter(function, out->name);
	if (same < function->n_parameters)
		return json_fail(&reader->json, values[NAME], err,
			"is \"%s\", the name of parameters[%zu] already",
			out->name, same);
	if (values[DIRECTION] &&
		!read_direction(reader, values[DIRECTION], &out->output, err))
		return false;
	if (values[DIMS] &&
		!read_dimensions(reader, function, values[DIMS], out, err))
		return false;
	out->nullable = cJSON_IsTrue(values[NULLABLE]);
	if (out->output && !out->is_array)
		return json_fail(&reader->json, values[DIRECTION], err,
			"is \"out\", but %s has no \"dims\": only arrays can "
			"be written",
			out->name);
	if (out->nullable && (out->output || !out->is_array))
		return json_fail(&reader->json, values[NULLABLE], err,
			"is true, but %s is no input array", out->name);
	return true;
}

/* Functions ---------------------------------------------------------------- */

static bool read_parameters(struct reader *reader, const cJSON *item,
	struct function *function, struct error *err)
{
	size_t count = json_count(item);
	struct parameter *parameters;

	if (count > PARAMETERS_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu entries, expected at most %d", count,
			PARAMETERS_MAX);
	parameters =
		arena_alloc(reader->arena, count, sizeof(*parameters), err);
	if (!parameters)
		return false;
	function->parameters = parameters;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!read_parameter(reader, function, child,
			    &parameters[function->n_parameters], err))
			return false;
		function->n_parameters++;
	}
	return true;
}

static bool read_returns(struct reader *reader, const cJSON *item,
	struct function *function, struct error *err)
{
	enum { TYPE, SAYS };
	static const struct json_key keys[] = {
		[TYPE] = {"type", JSON_STRING, true},
		[SAYS] = {"says", JSON_STRING, true},
	};
	const cJSON *values[COUNT(keys)];

	function->returns = true;
	return json_object(
		       &reader->json, item, keys, COUNT(keys), values, err) &&
		read_type(reader, values[TYPE], &function->return_type, err) &&
		reader_line(reader, values[SAYS], &function->return_says, err);
}

static bool gives_something(const struct function *function)
{
	bool gives = function->returns;

	for (size_t p = 0; p < function->n_parameters; p++)
		gives |= function->parameters[p].output;
	return gives;
}

static bool read_function(struct reader *reader, const cJSON *item,
	struct function *out, struct error *err)
{
	enum { NAME, PARAMETERS, RETURNS };
	static const struct json_key keys[] = {
		[NAME] = {"name", JSON_STRING, true},
		[PARAMETERS] = {"parameters", JSON_ARRAY, true},
		[RETURNS] = {"returns", JSON_OBJECT, false},
	};
	const cJSON *values[COUNT(keys)];

	out->return_says = "";
	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err) ||
		!reader_name(reader, values[NAME], name_problem_of_function,
			&out->name, err) ||
		!read_parameters(reader, values[PARAMETERS], out, err))
		return false;
	if (values[RETURNS] && !read_returns(reader, values[RETURNS], out, err))
		return false;
	if (function_parameter(out, out->name) < out->n_parameters)
		return json_fail(&reader->json, values[NAME], err,
			"is \"%s\", the name of a parameter, too", out->name);
	if (!gives_something(out))
		return json_fail(&reader->json, item, err,
			"gives nothing back: no parameter is \"out\", and it "
			"has no \"returns\"");
	return true;
}

bool reader_read_functions(
	struct reader *reader, const cJSON *item, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	size_t count = json_count(item);
	struct function *functions =
		arena_alloc(reader->arena, count, sizeof(*functions), err);
	struct function *references =
		arena_alloc(reader->arena, count, sizeof(*references), err);
	size_t index;

	if (!functions || !references)
		return false;
	if (count == 0 || count > FUNCTIONS_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu entries, expected 1 to %d", count,
			FUNCTIONS_MAX);
	exercise->functions = functions;
	exercise->references = references;
	for (const cJSON *child = item->child; child; child = child->next) {
		struct function *function = &functions[exercise->n_functions];
		struct error why = {0};

		if (!read_function(reader, child, function, err))
			return false;
		if (function_find(functions, exercise->n_functions,
			    function->name, &index))
			return json_fail(&reader->json, child, err,
				"has the name \"%s\", as functions[%zu] has",
				function->name, index);
		if (!function_reference(function, reader->arena,
			    &references[exercise->n_functions], &why))
			return reader_fail_because(
				reader, child, "cannot be graded", &why, err);
		exercise->n_functions++;
	}
	return true;
}
