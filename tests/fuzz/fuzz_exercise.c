/* SPDX-License-Identifier: MIT */

/*
 * Whatever exercise.json holds: read it, and if it is good write all C of it
 * and draw its cases.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/cases_draw.h"
#include "grader/engine/ctoken.h"
#include "grader/engine/exercise.h"
#include "grader/engine/random.h"
#include "grader/engine/source.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

/* Arrays of 16 MiB are legal, and too slow to draw here. */
enum { ELEMENTS_MAX = 10000 };

static void draw(const struct exercise *exercise, const struct group *group,
	const struct case_definition *definition, struct arena *arena)
{
	const struct function *function = &exercise->functions[group->function];
	struct value arguments[PARAMETERS_MAX];
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
	if (!cases_draw(definition, function, &random, arena, arguments, &err))
		assert(err.kind == ERROR_EXERCISE && err.message[0]);
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
