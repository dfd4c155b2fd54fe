/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases_programs.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/compile.h"
#include "grader/engine/fill.h"
#include "grader/engine/run.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"
#include "sandbox/protocol.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One C file of the exercise, built, and its calls. */
struct job {
	const struct exercise *exercise;
	const struct exercise_source *source;
	const struct function *functions;
	size_t n_functions;
	const struct tools *tools;
	struct arena *arena;
	struct program program;
	struct call *calls;
	const struct test_case **cases; /* whose each call is */
	size_t n_calls;
	struct run_outcome outcome;
};

/* Building ----------------------------------------------------------------- */

/* The first error of the compiler, or whatever it said first. */
static const struct diagnostic *find_reason(const struct build *build)
{
	for (size_t i = 0; i < build->n_diagnostics; i++) {
		if (build->diagnostics[i].severity == SEVERITY_ERROR)
			return &build->diagnostics[i];
	}
	return build->n_diagnostics > 0 ? &build->diagnostics[0] : NULL;
}

static bool fail_build(
	const struct job *job, const struct build *build, struct error *err)
{
	const struct diagnostic *reason = find_reason(build);
	const char *says = reason ? reason->message : "does not compile";
	struct text shown = {0};
	char line[24] = "";

	if (reason && reason->line > 0)
		snprintf(line, sizeof(line), ":%d", reason->line);
	escape_put_line(&shown, says, strlen(says), false);
	if (text_check(&shown, err))
		(void)error_set(err, ERROR_EXERCISE, "%s/%s%s: %s",
			job->exercise->folder, job->source->name, line,
			shown.data ? shown.data : "");
	text_finish(&shown);
	return false;
}

static bool compile(struct job *job, const struct text *header,
	const struct text *shim, struct error *err)
{
	const struct build_request request = {
		.kind = BUILD_EXERCISE,
		.source_name = job->source->name,
		.source = job->source->data,
		.source_len = job->source->len,
		.header_name = "exercise.h",
		.header = header->data,
		.header_len = header->len,
		.shim = shim->data,
		.shim_len = shim->len,
		.functions = job->functions,
		.n_functions = job->n_functions,
	};
	struct build build = {.program = {.fd = -1}};

	if (!compile_program(job->tools, &request, job->arena, &build, err))
		return false;
	if (!build.ok) {
		program_finish(&build.program);
		return fail_build(job, &build, err);
	}
	job->program = build.program;
	return true;
}

static bool build_program(struct job *job, struct error *err)
{
	struct text header = {0};
	struct text shim = {0};
	bool good;

	source_put_exercise_header(&header, job->exercise);
	source_put_shim(&shim, job->functions, job->n_functions);
	good = text_check(&header, err) && text_check(&shim, err) &&
		compile(job, &header, &shim, err);
	text_finish(&header);
	text_finish(&shim);
	return good;
}

/* Running ------------------------------------------------------------------ */

/* What a submission may take says little about the reference: it computes the
   same with more care. */
static struct exercise_limits own_limits(const struct exercise *exercise)
{
	struct exercise_limits limits = exercise->limits;

	limits.cpu_case_ms = 10 * limits.cpu_case_ms + 1000;
	limits.cpu_total_ms = 10 * limits.cpu_total_ms + 10000;
	limits.memory_bytes = 2 * limits.memory_bytes + ((uint64_t)256 << 20);
	return limits;
}

static bool fail_case(
	const struct job *job, size_t call, const char *says, struct error *err)
{
	return error_set(err, ERROR_EXERCISE, "%s/%s: case %s: %s",
		job->exercise->folder, job->source->name,
		job->cases[call]->name, says);
}

/* Far from an array, it is anybody's guess which one was meant. */
static bool is_near(const struct call *call, const struct access *access)
{
	const int64_t most = 64;
	int64_t count;

	if (!access->known)
		return false;
	count = (int64_t)call->arguments[access->parameter].count;
	return access->element >= -most && access->element < count + most;
}

static void describe_signal(
	const struct job *job, size_t call, char *out, size_t size)
{
	const struct call *made = &job->calls[call];
	const struct call_result *result = &job->outcome.results[call];
	const struct access *access = &result->access;
	const char *name = sigabbrev_np(result->ended.signal);

	if (is_near(made, access))
		snprintf(out, size, "%s %s[%" PRId64 "], which %s",
			access->write ? "wrote" : "read",
			made->function->parameters[access->parameter].name,
			access->element,
			access->to_input ? "is an input" : "is not there");
	else if (name)
		snprintf(out, size, "died of SIG%s", name);
	else
		snprintf(out, size, "died of signal %d", result->ended.signal);
}

static bool fail_ended(const struct job *job, size_t call, struct error *err)
{
	const struct run_result *ended = &job->outcome.results[call].ended;
	const char *function = job->calls[call].function->name;
	char how[128] = "";
	char says[256];

	switch (ended->end) {
	case RUN_FINISHED:
	case RUN_EXITED:
		snprintf(how, sizeof(how), "called exit(%d)", ended->exit_code);
		break;
	case RUN_SIGNALED:
		describe_signal(job, call, how, sizeof(how));
		break;
	case RUN_ABORTED:
		snprintf(how, sizeof(how), "called abort()");
		break;
	case RUN_VIOLATION:
		snprintf(how, sizeof(how),
			"made the system call %s, which is refused",
			ended->violation.name[0] ? ended->violation.name
						 : "(unknown)");
		break;
	case RUN_CPU_CALL:
	case RUN_CPU_TOTAL:
		snprintf(how, sizeof(how), "took too long");
		break;
	case RUN_TEXT_LIMIT:
		snprintf(how, sizeof(how), "printed too much");
		break;
	case RUN_MEMORY:
		snprintf(how, sizeof(how), "used too much memory");
		break;
	case RUN_KILLED:
	case RUN_STARVED:
		return error_set(err, ERROR_SYSTEM,
			"%s/%s: case %s: %s got no chance to end: the machine "
			"is out of memory or overloaded",
			job->exercise->folder, job->source->name,
			job->cases[call]->name, function);
	}
	snprintf(says, sizeof(says), "%s %s", function, how);
	return fail_case(job, call, says, err);
}

static bool run(struct job *job, struct error *err)
{
	const struct exercise_limits limits = own_limits(job->exercise);
	struct run_outcome outcome;

	if (!run_calls(job->tools,
		    &(struct run_job){
			    &job->program, &limits, job->calls, job->n_calls},
		    job->arena, &outcome, err))
		return false;
	job->outcome = outcome;
	for (size_t i = 0; i < job->n_calls; i++) {
		if (job->outcome.results[i].state == CALL_ENDED)
			return fail_ended(job, i, err);
	}
	for (size_t i = 0; i < job->n_calls; i++) {
		if (job->outcome.results[i].state == CALL_NOT_RUN)
			return fail_case(job, i,
				"was not run: the cases in front of it took "
				"too long",
				err);
	}
	return true;
}

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
static const char *problem_of(const struct job *job,
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

static bool check_output(
	const struct job *job, size_t call, size_t p, struct error *err)
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
		return fail_case(job, call, says, err);
	}
	return true;
}

static bool check_outputs(const struct job *job, struct error *err)
{
	for (size_t c = 0; c < job->n_calls; c++) {
		const struct function *function = job->calls[c].function;

		for (size_t p = 0; p < function->n_parameters; p++) {
			if (function->parameters[p].output &&
				!job->calls[c].arguments[p].is_null &&
				!check_output(job, c, p, err))
				return false;
		}
	}
	return true;
}

/* Preparing ---------------------------------------------------------------- */

static bool start(struct job *job, size_t room, struct error *err)
{
	job->program.fd = -1;
	job->calls = arena_alloc(job->arena, room, sizeof(*job->calls), err);
	job->cases = arena_alloc(
		job->arena, room, sizeof(const struct test_case *), err);
	return job->calls && job->cases;
}

static void add_call(struct job *job, const struct test_case *test_case,
	size_t index, struct value *arguments)
{
	job->calls[job->n_calls] = (struct call){
		.function = &job->functions[index],
		.function_index = (uint32_t)index,
		.arguments = arguments,
		.repeat = 1,
	};
	job->cases[job->n_calls++] = test_case;
}

static bool make(struct job *job, struct error *err)
{
	bool good = build_program(job, err) && run(job, err) &&
		check_outputs(job, err);

	program_finish(&job->program);
	return good;
}

/* Generators --------------------------------------------------------------- */

/* seed, then f's inputs in order, then the list of arguments. */
static bool add_generator_call(struct job *job,
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
	add_call(job, test_case, index, arguments);
	return true;
}

static void take_inputs(const struct job *job, size_t call)
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
	struct job job = {
		.exercise = exercise,
		.source = &exercise->generators,
		.functions = exercise->generator_functions,
		.n_functions = exercise->n_generator_functions,
		.tools = tools,
		.arena = arena,
	};

	if (!start(&job, list->count, err))
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

static bool add_reference_call(
	struct job *job, const struct test_case *test_case, struct error *err)
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
	add_call(job, test_case, index, arguments);
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
static bool take_output(const struct job *job, size_t call, size_t p, size_t to,
	size_t *tolerance_at, struct error *err)
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

static bool take_outputs(const struct job *job, size_t call, struct error *err)
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

bool cases_refer(const struct exercise *exercise, const struct tools *tools,
	const struct case_list *list, struct arena *arena, struct error *err)
{
	struct job job = {
		.exercise = exercise,
		.source = &exercise->reference,
		.functions = exercise->references,
		.n_functions = exercise->n_functions,
		.tools = tools,
		.arena = arena,
	};

	if (!start(&job, list->count, err))
		return false;
	for (size_t i = 0; i < list->count; i++) {
		if (!add_reference_call(&job, &list->cases[i], err))
			return false;
	}
	if (!make(&job, err))
		return false;
	for (size_t c = 0; c < job.n_calls; c++) {
		if (!take_outputs(&job, c, err))
			return false;
	}
	return true;
}
