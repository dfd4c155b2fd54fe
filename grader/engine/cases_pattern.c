/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases_pattern.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/engine/exercise.h"

#include <fnmatch.h>

enum { GROUPS_SHOWN = 12 };

struct names {
	const char **items;
	size_t count;
};

static bool list_names(struct arena *arena, const struct exercise *exercise,
	struct names *names, struct error *err)
{
	names->count = 0;
	names->items = arena_alloc(
		arena, exercise->n_cases, sizeof(*names->items), err);
	if (!names->items)
		return false;
	for (size_t g = 0; g < exercise->n_groups; g++) {
		const struct group *group = &exercise->groups[g];

		for (size_t d = 0; d < group->n_cases && !group->probe; d++) {
			const struct case_definition *definition =
				&group->cases[d];

			for (size_t n = 0; n < definition->count; n++) {
				const char *name =
					case_name(definition, n, arena, err);

				if (!name)
					return false;
				names->items[names->count++] = name;
			}
		}
	}
	return true;
}

/* The nearest name, or the first of each group. */
static bool refuse(const struct exercise *exercise, const char *pattern,
	const struct names *names, struct error *err)
{
	const char *nearest = nearest_name(pattern, names->items, names->count);
	struct text rest = {0};
	size_t at = 0, shown = 0;

	if (nearest)
		text_printf(&rest, "; did you mean '%s'?", nearest);
	else
		text_puts(&rest, "; the first of each group:");
	for (size_t g = 0;
		!nearest && g < exercise->n_groups && shown < GROUPS_SHOWN;
		g++) {
		const struct group *group = &exercise->groups[g];

		if (group->probe)
			continue;
		text_printf(
			&rest, "%s %s", shown++ ? "," : "", names->items[at]);
		for (size_t d = 0; d < group->n_cases; d++)
			at += group->cases[d].count;
	}
	error_write(err, ERROR_USAGE, "no case of %s matches '%.100s'%s",
		exercise->name, pattern, rest.data ? rest.data : "");
	text_finish(&rest);
	return false;
}

bool cases_check_pattern(const struct exercise *exercise, const char *pattern,
	struct arena *arena, struct error *err)
{
	struct names names;

	if (!pattern)
		return true;
	if (!list_names(arena, exercise, &names, err))
		return false;
	for (size_t i = 0; i < names.count; i++)
		if (fnmatch(pattern, names.items[i], 0) == 0)
			return true;
	return refuse(exercise, pattern, &names, err);
}
