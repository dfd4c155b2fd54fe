/* SPDX-License-Identifier: MIT */
#include "grader/engine/explain.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/escape.h"
#include "grader/engine/exercise_program.h"

#include <stdio.h>
#include <string.h>

/* Texts ---------------------------------------------------------------------
 */

static bool fail_byte(const struct exercise_program *job, size_t call,
	unsigned char byte, const char *says, struct error *err)
{
	char whole[128];

	snprintf(
		whole, sizeof(whole), "text has a byte 0x%02x, %s", byte, says);
	return exercise_program_fail(job, call, whole, err);
}

/* Up to its first NUL. */
static bool take_text(const struct exercise_program *job, size_t call,
	const char **text_out, struct error *err)
{
	size_t at = job->calls[call].function->n_parameters - 1;
	const struct value *value = &job->outcome.results[call].outputs[at];
	const char *text = value->data;
	size_t len = strnlen(text, value->count);
	unsigned int code;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		unsigned char byte = (unsigned char)text[i];

		n = escape_utf8(text + i, len - i, &code);
		if (n == 0)
			return fail_byte(job, call, byte,
				i == 0 ? "was it set?" : "which is no UTF-8",
				err);
		if ((code < 0x20 && code != '\n') ||
			(code >= 0x7f && code < 0xa0))
			return fail_byte(
				job, call, byte, "a control character", err);
	}
	if (len == value->count)
		return exercise_program_fail(
			job, call, "text does not end with a NUL", err);
	if (len == 0)
		return exercise_program_fail(job, call, "text is empty", err);
	*text_out = text;
	return true;
}

/* Calls -------------------------------------------------------------------- */

static struct exercise_program job_of(const struct exercise *exercise,
	const struct tools *tools, struct arena *arena)
{
	return (struct exercise_program){
		.exercise = exercise,
		.source = &exercise->explain,
		.functions = exercise->explainers,
		.n_functions = 2 * exercise->n_functions,
		.tools = tools,
		.arena = arena,
	};
}

/* A result is held as an array of one; here it is a scalar. */
static struct value scalar_of(enum value_type type, const struct value *result)
{
	struct value scalar = {0};

	element_load(type, result->data, 0, &scalar.number, &scalar.real);
	return scalar;
}

/* f's parameters with what came out, what was expected unless it is left out,
   and the text. */
static bool add_call(struct exercise_program *job,
	const struct explained_call *call, size_t index, bool expected,
	struct error *err)
{
	const struct test_case *test_case = call->test_case;
	const struct function *function = test_case->function;
	const struct function *explainer = &job->functions[index];
	size_t n = function->n_parameters;
	struct value *arguments = arena_alloc(
		job->arena, explainer->n_parameters, sizeof(*arguments), err);
	size_t at = n;

	if (!arguments)
		return false;
	for (size_t p = 0; p < n; p++)
		arguments[p] = function->parameters[p].output
			? call->outputs[p]
			: test_case->arguments[p];
	if (function->returns)
		arguments[at++] =
			scalar_of(function->return_type, &call->outputs[n]);
	for (size_t p = 0; expected && p < n; p++) {
		if (function->parameters[p].output)
			arguments[at++] = test_case->expected[p];
	}
	if (expected && function->returns)
		arguments[at++] = scalar_of(
			function->return_type, &test_case->expected[n]);
	if (!function_shape(explainer, at, arguments, err))
		return false;
	exercise_program_add(job, test_case, index, arguments);
	return true;
}

/* Probes ------------------------------------------------------------------- */

/* What the learner's program makes of the probes; those that return. */
static bool run_probes(const struct tools *tools,
	const struct explain_request *request, struct arena *arena,
	struct explained_call **calls_out, size_t *count_out, struct error *err)
{
	const struct exercise *exercise = request->exercise;
	const struct case_request cases = {
		.exercise = exercise, .seed = request->seed, .probes = true};
	struct case_list list;
	struct call *calls;
	struct run_outcome outcome;

	if (!cases_prepare(&cases, tools, arena, &list, err))
		return false;
	calls = arena_alloc(arena, list.count, sizeof(*calls), err);
	*calls_out = arena_alloc(arena, list.count, sizeof(**calls_out), err);
	if (!calls || !*calls_out)
		return false;
	for (size_t i = 0; i < list.count; i++)
		calls[i] = (struct call){
			.function = list.cases[i].function,
			.function_index =
				(uint32_t)list.cases[i].function_index,
			.arguments = list.cases[i].arguments,
			.repeat = 1,
		};
	if (!run_calls(tools,
		    &(struct run_job){request->program, &exercise->limits,
			    calls, list.count},
		    arena, &outcome, err))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		if (outcome.results[i].state == CALL_RETURNED)
			(*calls_out)[(*count_out)++] = (struct explained_call){
				&list.cases[i], outcome.results[i].outputs};
	}
	return true;
}

/* What is asked ------------------------------------------------------------ */

static bool ask(struct exercise_program *job,
	const struct explained_call *calls, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!add_call(job, &calls[i],
			    calls[i].test_case->function_index, true, err))
			return false;
	}
	return true;
}

/* Of all answers the first; all of them have to be texts. */
static bool take_answer(const struct exercise_program *job,
	const char **sentences_out, struct error *err)
{
	for (size_t c = 0; c < job->n_calls; c++) {
		const struct function *function = job->calls[c].function;
		const struct value *result =
			&job->outcome.results[c]
				 .outputs[function->n_parameters];
		const char *text;

		if (!*(const unsigned char *)result->data)
			continue;
		if (!take_text(job, c, &text, err))
			return false;
		if (!*sentences_out)
			*sentences_out = text;
	}
	return true;
}

bool explain_failure(const struct tools *tools,
	const struct explain_request *request, struct arena *arena,
	const char **sentences_out, struct error *err)
{
	struct exercise_program job = job_of(request->exercise, tools, arena);
	struct explained_call *probes = NULL;
	size_t n_probes = 0;
	const char *sentences = NULL;

	*sentences_out = NULL;
	if (!request->exercise->explainers || request->n_wrong == 0)
		return true;
	if (request->exercise->n_probes > 0 &&
		!run_probes(tools, request, arena, &probes, &n_probes, err))
		return false;
	if (!exercise_program_start(&job, n_probes + request->n_wrong, err) ||
		!ask(&job, probes, n_probes, err) ||
		!ask(&job, request->wrong, request->n_wrong, err) ||
		!exercise_program_make(&job, err) ||
		!take_answer(&job, &sentences, err))
		return false;
	*sentences_out = sentences;
	return true;
}

bool explain_steps(const struct tools *tools, const struct exercise *exercise,
	const struct explained_call *call, struct arena *arena,
	const char **steps_out, struct error *err)
{
	struct exercise_program job = job_of(exercise, tools, arena);
	size_t index = exercise->n_functions + call->test_case->function_index;

	*steps_out = NULL;
	if (!exercise->explainers)
		return true;
	return exercise_program_start(&job, 1, err) &&
		add_call(&job, call, index, false, err) &&
		exercise_program_make(&job, err) &&
		take_text(&job, 0, steps_out, err);
}
