/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/cases_draw.h"
#include "grader/engine/cases_expected.h"
#include "grader/engine/cases_pattern.h"
#include "grader/engine/cases_programs.h"
#include "grader/engine/random.h"

#include <fnmatch.h>
#include <string.h>

#define CASES_BYTES_MAX ((size_t)512 << 20)

/* The list while it is drawn up. */
struct drafting {
	const struct case_request *request;
	struct arena *arena;
	struct case_list list;
	uint64_t *generator_seeds; /* beside its cases */
	size_t bytes;              /* of all their arrays */
};

/* What the arrays of a case take: its own, expected values, tolerances. */
static size_t count_bytes(const struct test_case *test_case)
{
	const struct function *function = test_case->function;
	size_t bytes = 0;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];
		size_t count = test_case->arguments[p].count;

		bytes += count * type_bytes(parameter->type);
		if (parameter->output)
			bytes += count * sizeof(double);
	}
	return bytes;
}

static bool allocate_values(
	struct test_case *test_case, struct arena *arena, struct error *err)
{
	size_t count = test_case->function->n_parameters;

	test_case->arguments =
		arena_alloc(arena, count, sizeof(*test_case->arguments), err);
	test_case->expected = arena_alloc(
		arena, count + 1, sizeof(*test_case->expected), err);
	test_case->tolerance = arena_alloc(
		arena, count + 1, sizeof(*test_case->tolerance), err);
	return test_case->arguments && test_case->expected &&
		test_case->tolerance;
}

static bool draft_case(struct drafting *drafting, const struct group *group,
	const struct case_definition *definition, const char *name,
	struct error *err)
{
	const struct exercise *exercise = drafting->request->exercise;
	struct test_case *test_case =
		&drafting->list.cases[drafting->list.count];
	struct random random;

	*test_case = (struct test_case){
		.name = name,
		.exercise = exercise,
		.group = group,
		.definition = definition,
		.function = &exercise->functions[group->function],
		.function_index = group->function,
		.hidden = group->hidden,
		.seed = cases_seed(drafting->request, name, group->hidden),
		.repeat = definition->repeat,
	};
	if (!allocate_values(test_case, drafting->arena, err))
		return false;
	random = random_start(test_case->seed);
	if (!cases_draw(definition, test_case->function, &random,
		    drafting->arena, test_case->arguments, err))
		return error_prefix(err, "%s/exercise.json:%d: case %s",
			exercise->folder, definition->line, name);
	drafting->generator_seeds[drafting->list.count] = random_bits(&random);
	drafting->bytes += count_bytes(test_case);
	if (drafting->bytes > CASES_BYTES_MAX)
		return error_set(err, ERROR_EXERCISE,
			"%s/exercise.json:%d: case %s brings the memory of all "
			"cases above %zu MiB",
			exercise->folder, definition->line, name,
			CASES_BYTES_MAX >> 20);
	drafting->list.count++;
	return true;
}

static bool draft_definition(struct drafting *drafting,
	const struct group *group, const struct case_definition *definition,
	struct error *err)
{
	const char *pattern = drafting->request->pattern;

	for (size_t n = 0; n < definition->count; n++) {
		char *name = case_name(definition, n, drafting->arena, err);

		if (!name)
			return false;
		if (pattern && fnmatch(pattern, name, 0) != 0)
			continue;
		if (!draft_case(drafting, group, definition, name, err))
			return false;
	}
	return true;
}

static bool draft_all(struct drafting *drafting, struct error *err)
{
	const struct exercise *exercise = drafting->request->exercise;

	for (size_t g = 0; g < exercise->n_groups; g++) {
		const struct group *group = &exercise->groups[g];

		if (group->probe != drafting->request->probes)
			continue;
		for (size_t i = 0; i < group->n_cases; i++) {
			if (!draft_definition(
				    drafting, group, &group->cases[i], err))
				return false;
		}
	}
	return true;
}

bool cases_prepare(const struct case_request *request,
	const struct tools *tools, struct arena *arena,
	struct case_list *list_out, struct error *err)
{
	const struct exercise *exercise = request->exercise;
	struct drafting drafting = {.request = request, .arena = arena};
	size_t room = request->probes ? exercise->n_probes : exercise->n_cases;

	if (!cases_check_pattern(exercise, request->pattern, arena, err))
		return false;
	drafting.list.cases =
		arena_alloc(arena, room, sizeof(*drafting.list.cases), err);
	drafting.generator_seeds = arena_alloc(
		arena, room, sizeof(*drafting.generator_seeds), err);
	if (!drafting.list.cases || !drafting.generator_seeds ||
		!draft_all(&drafting, err))
		return false;
	if (!cases_generate(exercise, tools, &drafting.list,
		    drafting.generator_seeds, arena, err) ||
		!cases_refer(exercise, tools, &drafting.list, arena, err) ||
		!cases_check_expected(&drafting.list, err))
		return false;
	*list_out = drafting.list;
	return true;
}
