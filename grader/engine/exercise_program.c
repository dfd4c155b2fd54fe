/* SPDX-License-Identifier: MIT */
#include "grader/engine/exercise_program.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/compile.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static bool fail_build(const struct exercise_program *job,
	const struct build *build, struct error *err)
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

static bool compile(struct exercise_program *job, const struct text *header,
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
		.functions = job->more ? job->defined : job->functions,
		.n_functions = job->more ? job->n_defined : job->n_functions,
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

bool exercise_program_build(struct exercise_program *job, struct error *err)
{
	struct text header = {0};
	struct text shim = {0};
	bool good;

	source_put_exercise_header(&header, job->exercise);
	source_put_shim(&shim, job->functions, job->n_functions);
	if (job->more)
		text_put(&shim, job->more->data, job->more->len);
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

bool exercise_program_fail(const struct exercise_program *job, size_t call,
	const char *says, struct error *err)
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
	const struct exercise_program *job, size_t call, char *out, size_t size)
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

static bool fail_ended(
	const struct exercise_program *job, size_t call, struct error *err)
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
	return exercise_program_fail(job, call, says, err);
}

bool exercise_program_call(struct exercise_program *job, struct error *err)
{
	const struct exercise_limits limits = own_limits(job->exercise);
	struct run_outcome outcome;

	if (!run_calls(job->tools,
		    &(struct run_job){
			    &job->program, &limits, job->calls, job->n_calls},
		    job->arena, &outcome, err))
		return false;
	job->outcome = outcome;
	return true;
}

static bool check_returned(
	const struct exercise_program *job, struct error *err)
{
	for (size_t i = 0; i < job->n_calls; i++) {
		if (job->outcome.results[i].state == CALL_ENDED)
			return fail_ended(job, i, err);
	}
	for (size_t i = 0; i < job->n_calls; i++) {
		if (job->outcome.results[i].state == CALL_NOT_RUN)
			return exercise_program_fail(job, i,
				"was not run: the cases in front of it took "
				"too long",
				err);
	}
	return true;
}

/* All of it ---------------------------------------------------------------- */

bool exercise_program_start(
	struct exercise_program *job, size_t room, struct error *err)
{
	job->program.fd = -1;
	job->calls = arena_alloc(job->arena, room, sizeof(*job->calls), err);
	job->cases = arena_alloc(
		job->arena, room, sizeof(const struct test_case *), err);
	return job->calls && job->cases;
}

void exercise_program_add(struct exercise_program *job,
	const struct test_case *test_case, size_t index,
	struct value *arguments)
{
	job->calls[job->n_calls] = (struct call){
		.function = &job->functions[index],
		.function_index = (uint32_t)index,
		.arguments = arguments,
		.repeat = 1,
	};
	job->cases[job->n_calls++] = test_case;
}

bool exercise_program_make(struct exercise_program *job, struct error *err)
{
	bool good = exercise_program_build(job, err) &&
		exercise_program_call(job, err) && check_returned(job, err);

	program_finish(&job->program);
	return good;
}
