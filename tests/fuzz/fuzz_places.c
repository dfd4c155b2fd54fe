/* SPDX-License-Identifier: MIT */

/*
 * Any source, and any assembly that is said to be made of it: two bytes of
 * line, two of column, the source up to a NUL, and the assembly.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/places.h"
#include "grader/engine/poison.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A name is in the source, where it says, and plain. */
static void check_name(
	const struct places *places, const struct place_name *name)
{
	struct place_name again;

	if (!name->text)
		return;
	assert(name->text >= places->data &&
		name->text + name->len <= places->data + places->len);
	for (size_t i = 0; i < name->len; i++)
		assert(isalnum((unsigned char)name->text[i]) ||
			name->text[i] == '_');
	again = places_name(places, name->line, name->column);
	assert(again.text == name->text && again.len == name->len);
}

static void check_bound(const char *bound)
{
	size_t len = strlen(bound);

	assert(len < PLACES_BOUND_BYTES);
	for (size_t i = 0; i < len; i++)
		assert(bound[i] >= ' ' && bound[i] <= '~');
}

static void ask(const struct places *places, int line, int column)
{
	struct place_subscript subscript =
		places_subscript(places, line, column);
	char bound[PLACES_BOUND_BYTES];
	enum place_type type;
	struct place_name name;

	check_name(places, &subscript.name);
	name = places_local_array(places, line, &subscript.name, bound);
	check_name(places, &name);
	check_bound(bound);
	places_parameter(places, "solve", line, &subscript.name);
	name = places_name(places, line, column);
	check_name(places, &name);
	places_declared_type(places, &name);
	name = places_block_owner(places, line, &type);
	check_name(places, &name);
	name = places_only_local_array(places, line);
	check_name(places, &name);
	name = places_only_static(places);
	check_name(places, &name);
	places_adds_to_element(places, line);
}

static size_t count_lines(const char *data, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i] == '\n';
	return n;
}

/* Lines are replaced and added, and none is lost. */
static void check_poison(
	const struct places *places, const char *assembly, size_t len)
{
	struct poison *poison = calloc(1, sizeof(*poison));
	struct text out = {0};

	assert(poison);
	poison_locals(poison, assembly, len, "solve.c", places, &out);
	assert(!out.failed);
	assert(poison->n_sites <= POISON_SITES_MAX);
	for (size_t i = 1; i <= poison->n_sites; i++)
		assert(places_name(
			places, poison->sites[i].line, poison->sites[i].column)
				.text);
	assert(count_lines(out.data ? out.data : "", out.len) >=
		count_lines(assembly, len));
	text_finish(&out);
	free(poison);
}

int fuzz_places(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	int line = (int)fuzz_number(&input, 2);
	int column = (int)fuzz_number(&input, 2);
	const char *source = (const char *)input.data;
	const char *end = input.len ? memchr(source, '\0', input.len) : NULL;
	size_t len = end ? (size_t)(end - source) : input.len;
	struct error err;
	struct arena *arena = arena_create(&err);
	struct places places;

	assert(arena && places_read(&places, source, len, arena, &err));
	for (int i = 0; i < 8; i++)
		ask(&places, i, column % 100);
	ask(&places, line, column);
	check_poison(
		&places, end ? end + 1 : "", end ? input.len - len - 1 : 0);
	arena_destroy(arena);
	return 0;
}

FUZZ_ENTRY(places)
