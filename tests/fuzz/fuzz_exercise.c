/* SPDX-License-Identifier: MIT */

/*
 * Whatever exercise.json holds: read it, and if it is good write all C of it,
 * draw its cases and show them.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/cases_draw.h"
#include "grader/engine/cases_pattern.h"
#include "grader/engine/ctoken.h"
#include "grader/engine/exercise.h"
#include "grader/engine/random.h"
#include "grader/engine/source.h"
#include "grader/report/cases.h"
#include "grader/report/style.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <string.h>

/* Arrays of 16 MiB are legal, and too slow to draw here. */
enum { ELEMENTS_MAX = 10000 };

/* Zeros, of an array's or a result's shape. */
static struct value zeros(const struct value *like, struct arena *arena)
{
	struct value value = *like;
	struct error err = {0};

	value.data = arena_alloc(arena, value.count, sizeof(double), &err);
	assert(value.data);
	return value;
}

/* As a case that is shown, with zeros for all that programs write. */
static void show(const struct exercise *exercise, const struct group *group,
	const struct function *function, struct value *arguments,
	struct arena *arena)
{
	static const struct value one = {.count = 1, .shape = {1}, .n_axes = 1};
	static const struct style style = {.width = 80};
	struct value expected[PARAMETERS_MAX + 1] = {0};
	struct test_case test_case = {
		.name = "some",
		.exercise = exercise,
		.group = group,
		.function = function,
		.hidden = group->hidden,
		.seed = UINT64_MAX,
		.arguments = arguments,
		.expected = expected,
		.tolerance = expected,
	};
	struct case_list list = {&test_case, 1};
	struct cases_view view = {.exercise = exercise, .list = &list};
	struct text text = {0}, json = {0};
	struct error err = {0};
	const cJSON *cases;
	cJSON *root;

	for (size_t p = 0; p < function->n_parameters; p++)
		if (arguments[p].count > ELEMENTS_MAX)
			return;
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output)
			expected[p] = zeros(&arguments[p], arena);
		else if (function->parameters[p].is_array &&
			!arguments[p].is_null && !arguments[p].data)
			arguments[p] = zeros(&arguments[p], arena);
	}
	if (function->returns)
		expected[function->n_parameters] = zeros(&one, arena);
	cases_put_text(&text, &style, &view);
	fuzz_check_text(&text, &style);
	assert(cases_put_json(&json, &view, &err));
	fuzz_check_text(&json, NULL);
	root = cJSON_ParseWithOpts(json.data, NULL, true);
	cases = cJSON_GetObjectItem(root, "cases");
	/* A hidden one is not there unless it is asked for. */
	assert(cJSON_GetArraySize(cases) == (group->hidden ? 0 : 1));
	assert(cases_count_hidden(&view) == group->hidden);
	cJSON_Delete(root);
	text_finish(&text);
	text_finish(&json);
}

static void draw(const struct exercise *exercise, const struct group *group,
	const struct case_definition *definition, struct arena *arena)
{
	const struct function *function = &exercise->functions[group->function];
	struct value arguments[PARAMETERS_MAX] = {0};
	struct random random = random_start(7);
	struct error err = {0};

	for (size_t p = 0; p < function->n_parameters; p++) {
		if (definition->draws[p].kind == DISTRIBUTION_INTEGERS &&
			definition->draws[p].to.number > ELEMENTS_MAX / 100)
			return;
		if (definition->values[p].number > ELEMENTS_MAX)
			return;
		for (size_t d = 0; d < function->parameters[p].n_dimensions;
			d++) {
			if (function->parameters[p].dimensions[d].number >
				ELEMENTS_MAX)
				return;
		}
	}
	if (cases_draw(definition, function, &random, arena, arguments, &err))
		show(exercise, group, function, arguments, arena);
	else
		assert(err.kind == ERROR_EXERCISE && err.message[0]);
}

/* Any text will do for a pattern. */
static void match(const struct exercise *exercise, struct arena *arena)
{
	struct error err = {0};

	assert(cases_check_pattern(exercise, "*", arena, &err));
	if (!cases_check_pattern(exercise, exercise->title, arena, &err))
		assert(err.kind == ERROR_USAGE && err.message[0]);
}

/* An exercise that says nothing: of its C all but the comments is left. */
static struct exercise in_silence(
	const struct exercise *exercise, struct arena *arena)
{
	struct exercise silent = *exercise;
	struct error err = {0};
	struct function *functions = arena_alloc(
		arena, exercise->n_functions, sizeof(*functions), &err);

	assert(functions);
	for (size_t f = 0; f < exercise->n_functions; f++) {
		size_t n = exercise->functions[f].n_parameters;
		struct parameter *parameters =
			arena_alloc(arena, n, sizeof(*parameters), &err);

		assert(parameters);
		memcpy(parameters, exercise->functions[f].parameters,
			n * sizeof(*parameters));
		for (size_t p = 0; p < n; p++)
			parameters[p].says = "";
		functions[f] = exercise->functions[f];
		functions[f].parameters = parameters;
		functions[f].return_says = "";
	}
	silent.functions = functions;
	silent.title = silent.summary = "";
	silent.n_steps = 0;
	return silent;
}

/* No text of an exercise becomes a part of its C. */
static void check_comments(
	void (*put)(struct text *text, const struct exercise *exercise),
	const struct exercise *exercise, const struct exercise *silent)
{
	struct text all = {0}, bare = {0};
	struct ctoken_reader readers[2];
	struct token a, b;

	put(&all, exercise);
	put(&bare, silent);
	assert(!all.failed && !bare.failed);
	ctoken_start(&readers[0], all.data, all.len);
	ctoken_start(&readers[1], bare.data, bare.len);
	do {
		a = ctoken_next(&readers[0]);
		b = ctoken_next(&readers[1]);
		assert(a.kind == b.kind && a.len == b.len);
		assert(memcmp(a.text, b.text, a.len) == 0);
	} while (a.kind != TOKEN_END);
	text_finish(&all);
	text_finish(&bare);
}

static void write_all(const struct exercise *exercise, struct arena *arena)
{
	static void (*const puts[])(struct text * text,
		const struct exercise *exercise) = {source_put_header,
		source_put_exercise_header, source_put_starter};
	struct exercise silent = in_silence(exercise, arena);
	struct text text = {0};

	for (size_t i = 0; i < sizeof(puts) / sizeof(*puts); i++)
		check_comments(puts[i], exercise, &silent);
	source_put_try(&text, exercise);
	source_put_shim(&text, exercise->functions, exercise->n_functions);
	source_put_shim(&text, exercise->references, exercise->n_functions);
	source_put_shim(&text, exercise->generator_functions,
		exercise->n_generator_functions);
	assert(!text.failed);
	text_finish(&text);
}

int fuzz_exercise(const unsigned char *data, size_t size)
{
	struct error err = {0};
	struct arena *arena = arena_create(&err);
	struct exercise exercise = {0};

	assert(arena);
	if (!exercise_read("x.json", (const char *)data, size, arena, &exercise,
		    &err)) {
		assert(err.kind == ERROR_EXERCISE);
		assert(strncmp(err.message, "x.json", 6) == 0);
	} else {
		write_all(&exercise, arena);
		match(&exercise, arena);
		for (size_t g = 0; g < exercise.n_groups; g++) {
			for (size_t i = 0; i < exercise.groups[g].n_cases; i++)
				draw(&exercise, &exercise.groups[g],
					&exercise.groups[g].cases[i], arena);
		}
	}
	arena_destroy(arena);
	return 0;
}

FUZZ_ENTRY(exercise)
