/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases_programs.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_program.h"
#include "grader/engine/fill.h"
#include "sandbox/protocol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What came out ------------------------------------------------------------ */

static const char *problem_of_real(double real, bool tolerance)
{
	if (isnan(real))
		return "is NaN";
	if (isinf(real))
		return "is infinite";
	return tolerance && real < 0 ? "is negative" : NULL;
}

static bool is_tolerance(const char *name)
{
	static const char suffix[] = "_tolerance";
	size_t len = strlen(name);

	return len >= sizeof(suffix) &&
		strcmp(name + len - (sizeof(suffix) - 1), suffix) == 0;
}

/* NULL if an element will do. */
static const char *problem_of(const struct exercise_program *job,
	const struct parameter *parameter, bool tolerance, const void *data,
	size_t element)
{
	static const char unset[] = "was not set";
	const char *at =
		(const char *)data + element * type_bytes(parameter->type);
	size_t origin;
	uint64_t number;
	double real;

	element_load(parameter->type, data, element, &number, &real);
	if (parameter->type == TYPE_BOOL && number > 1)
		return number == FILL_BYTE ? unset
					   : "is neither true nor false";
	/* Any byte is a char: none of them tells that it was not set. */
	if (parameter->type != TYPE_CHAR &&
		fill_origin_of(job->outcome.nonce, parameter->type, at,
			&origin) == ORIGIN_UNTOUCHED)
		return unset;
	return type_is_float(parameter->type) ? problem_of_real(real, tolerance)
					      : NULL;
}

static bool check_output(const struct exercise_program *job, size_t call,
	size_t p, struct error *err)
{
	const struct call *made = &job->calls[call];
	const struct parameter *parameter = &made->function->parameters[p];
	const struct value *got = &job->outcome.results[call].outputs[p];
	const struct value *shape = &made->arguments[p];
	bool tolerance = is_tolerance(parameter->name);
	char index[AXES_MAX * 24];
	char says[512];

	for (size_t i = 0; i < shape->count; i++) {
		const char *problem =
			problem_of(job, parameter, tolerance, got->data, i);

		if (!problem)
			continue;
		shape_describe_index(
			shape->shape, shape->n_axes, i, index, sizeof(index));
		snprintf(says, sizeof(says), "%s%s %s", parameter->name, index,
			problem);
		return exercise_program_fail(job, call, says, err);
	}
	return true;
}

static bool check_call(
	const struct exercise_program *job, size_t call, struct error *err)
{
	const struct function *function = job->calls[call].function;

	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output &&
			!job->calls[call].arguments[p].is_null &&
			!check_output(job, call, p, err))
			return false;
	}
	return true;
}

static bool check_outputs(const struct exercise_program *job, struct error *err)
{
	for (size_t c = 0; c < job->n_calls; c++) {
		if (!check_call(job, c, err))
			return false;
	}
	return true;
}

static bool make(struct exercise_program *job, struct error *err)
{
	return exercise_program_make(job, err) && check_outputs(job, err);
}

/* Generators --------------------------------------------------------------- */

/* seed, then f's inputs in order, then the list of arguments. */
static bool add_generator_call(struct exercise_program *job,
	const struct test_case *test_case, uint64_t seed, struct error *err)
{
	const struct case_definition *definition = test_case->definition;
	const struct function *function = test_case->function;
	size_t index = definition->generator_index;
	size_t count = job->functions[index].n_parameters;
	struct value *arguments =
		arena_alloc(job->arena, count, sizeof(*arguments), err);
	size_t at = 0;

	if (!arguments)
		return false;
	arguments[at++].number = seed;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!function->parameters[p].output)
			arguments[at++] = test_case->arguments[p];
	}
	arguments[at].is_null = definition->n_generator_arguments == 0;
	if (!function_shape(&job->functions[index], at, arguments, err))
		return false;
	arguments[at].data = (void *)(uintptr_t)definition->generator_arguments;
	exercise_program_add(job, test_case, index, arguments);
	return true;
}

static void take_inputs(const struct exercise_program *job, size_t call)
{
	const struct test_case *test_case = job->cases[call];
	const struct function *function = test_case->function;
	const struct function *generator = job->calls[call].function;
	size_t at = 1;

	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output)
			continue;
		if (generator->parameters[at].output &&
			!test_case->arguments[p].is_null)
			test_case->arguments[p].data =
				job->outcome.results[call].outputs[at].data;
		at++;
	}
}

bool cases_generate(const struct exercise *exercise, const struct tools *tools,
	const struct case_list *list, const uint64_t *seeds,
	struct arena *arena, struct error *err)
{
	struct exercise_program job = {
		.exercise = exercise,
		.source = &exercise->generators,
		.functions = exercise->generator_functions,
		.n_functions = exercise->n_generator_functions,
		.tools = tools,
		.arena = arena,
	};

	if (!exercise_program_start(&job, list->count, err))
		return false;
	for (size_t i = 0; i < list->count; i++) {
		if (list->cases[i].definition->kind == CASE_GENERATED &&
			!add_generator_call(
				&job, &list->cases[i], seeds[i], err))
			return false;
	}
	if (job.n_calls == 0)
		return true;
	if (!make(&job, err))
		return false;
	for (size_t c = 0; c < job.n_calls; c++)
		take_inputs(&job, c);
	return true;
}

/* The reference ------------------------------------------------------------ */

static bool add_reference_call(struct exercise_program *job,
	const struct test_case *test_case, struct error *err)
{
	size_t index = test_case->function_index;
	const struct function *reference = &job->functions[index];
	struct value *arguments = arena_alloc(
		job->arena, reference->n_parameters, sizeof(*arguments), err);

	if (!arguments)
		return false;
	memcpy(arguments, test_case->arguments,
		test_case->function->n_parameters * sizeof(*arguments));
	for (size_t p = test_case->function->n_parameters;
		p < reference->n_parameters; p++) {
		if (!function_shape(reference, p, arguments, err))
			return false;
	}
	exercise_program_add(job, test_case, index, arguments);
	return true;
}

/* The exercise's own rule, in place of the reference's tolerance. */
static bool apply_rule(const struct exercise *exercise, enum value_type type,
	const struct value *expected, struct value *tolerance,
	struct arena *arena, struct error *err)
{
	double *numbers =
		arena_alloc(arena, expected->count, sizeof(*numbers), err);

	if (!numbers)
		return false;
	for (size_t i = 0; i < expected->count; i++) {
		uint64_t number;
		double real;

		element_load(type, expected->data, i, &number, &real);
		numbers[i] = exercise->tolerance.absolute +
			exercise->tolerance.relative * fabs(real);
	}
	tolerance->data = numbers;
	return true;
}

/* The place of expected that an output of the reference goes to. */
static bool take_output(const struct exercise_program *job, size_t call,
	size_t p, size_t to, size_t *tolerance_at, struct error *err)
{
	const struct test_case *test_case = job->cases[call];
	const struct function *reference = job->calls[call].function;
	const struct call_result *result = &job->outcome.results[call];
	enum value_type type = reference->parameters[p].type;
	struct value *expected = &test_case->expected[to];
	struct value *tolerance = &test_case->tolerance[to];

	*expected = job->calls[call].arguments[p];
	expected->data = result->outputs[p].data;
	if (to == test_case->function->n_parameters)
		expected->n_axes = 0; /* a result is no array */
	if (!type_is_float(type))
		return true;
	*tolerance = *expected;
	tolerance->data = result->outputs[(*tolerance_at)++].data;
	return !job->exercise->tolerance.given ||
		apply_rule(job->exercise, type, expected, tolerance, job->arena,
			err);
}

static bool take_outputs(
	const struct exercise_program *job, size_t call, struct error *err)
{
	const struct function *function = job->cases[call]->function;
	size_t tolerance_at = function->n_parameters;
	size_t result_at;

	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output &&
			!take_output(job, call, p, p, &tolerance_at, err))
			return false;
	}
	if (!function->returns)
		return true;
	result_at = tolerance_at++;
	return take_output(job, call, result_at, function->n_parameters,
		&tolerance_at, err);
}

static struct exercise_program reference_of(const struct exercise *exercise,
	const struct tools *tools, struct arena *arena)
{
	return (struct exercise_program){
		.exercise = exercise,
		.source = &exercise->reference,
		.functions = exercise->references,
		.n_functions = exercise->n_functions,
		.tools = tools,
		.arena = arena,
	};
}

static bool add_reference_calls(struct exercise_program *job,
	const struct case_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!add_reference_call(job, &list->cases[i], err))
			return false;
	}
	return true;
}

bool cases_reference_open(const struct exercise *exercise,
	const struct tools *tools, struct arena *arena,
	struct exercise_program *out, struct error *err)
{
	struct exercise_program job = reference_of(exercise, tools, arena);

	job.program.fd = -1;
	if (!exercise_program_build(&job, err))
		return false;
	*out = job;
	return true;
}

bool cases_refer_allowed(const struct exercise_program *reference,
	const struct case_list *list, struct arena *arena, bool *allowed,
	struct error *err)
{
	struct exercise_program job = *reference;

	job.arena = arena;
	if (!exercise_program_start(&job, list->count, err))
		return false;
	job.program = reference->program;
	if (!add_reference_calls(&job, list, err) ||
		!exercise_program_call(&job, err))
		return false;
	for (size_t c = 0; c < job.n_calls; c++) {
		struct error why;

		allowed[c] = job.outcome.results[c].state == CALL_RETURNED &&
			check_call(&job, c, &why);
		if (allowed[c] && !take_outputs(&job, c, err))
			return false;
	}
	return true;
}

bool cases_refer(const struct exercise *exercise, const struct tools *tools,
	const struct case_list *list, struct arena *arena, struct error *err)
{
	struct exercise_program job = reference_of(exercise, tools, arena);

	if (!exercise_program_start(&job, list->count, err) ||
		!add_reference_calls(&job, list, err))
		return false;
	if (!make(&job, err))
		return false;
	for (size_t c = 0; c < job.n_calls; c++) {
		if (!take_outputs(&job, c, err))
			return false;
	}
	return true;
}
