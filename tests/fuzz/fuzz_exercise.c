/* SPDX-License-Identifier: MIT */

/*
 * Whatever exercise.json holds: read it, and if it is good write all C of it
 * and draw its cases.  With clang's libFuzzer, from the top folder after make:
 *
 *   E=grader/engine
 *   clang -g -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       -o build/fuzz tests/fuzz/fuzz_exercise.c base/[a-z]*.c \
 *       $E/exercise*.c $E/json*.c $E/source*.c $E/function.c \
 *       $E/hash.c $E/names.c $E/cases_draw.c build/obj/embedded.o \
 *       -lcjson -lsodium -lm
 *   build/fuzz -dict=tests/fuzz/exercise.dict CORPUS exercises/attention
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/cases_draw.h"
#include "grader/engine/exercise.h"
#include "grader/engine/random.h"
#include "grader/engine/source.h"

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

static void write_all(const struct exercise *exercise)
{
	struct text text = {0};

	source_put_header(&text, exercise);
	source_put_exercise_header(&text, exercise);
	source_put_starter(&text, exercise);
	source_put_try(&text, exercise);
	source_put_shim(&text, exercise->functions, exercise->n_functions);
	source_put_shim(&text, exercise->references, exercise->n_functions);
	source_put_shim(&text, exercise->generator_functions,
		exercise->n_generator_functions);
	text_finish(&text);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
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
		write_all(&exercise);
		for (size_t g = 0; g < exercise.n_groups; g++) {
			for (size_t i = 0; i < exercise.groups[g].n_cases; i++)
				draw(&exercise, &exercise.groups[g],
					&exercise.groups[g].cases[i], arena);
		}
	}
	arena_destroy(arena);
	return 0;
}
