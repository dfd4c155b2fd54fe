/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/exercise_reader.h"
#include "grader/engine/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Keys of a group ---------------------------------------------------------- */

static bool read_function_name(struct reader *reader, const cJSON *item,
	struct group *out, struct error *err)
{
	const struct exercise *exercise = reader->exercise;
	const char *names[FUNCTIONS_MAX];

	if (function_find(exercise->functions, exercise->n_functions,
		    item->valuestring, &out->function))
		return true;
	for (size_t i = 0; i < exercise->n_functions; i++)
		names[i] = exercise->functions[i].name;
	return reader_fail_word(reader, item, "a function of this exercise",
		names, exercise->n_functions, err);
}

static bool read_visibility(struct reader *reader, const cJSON *item,
	struct group *out, struct error *err)
{
	static const char *const names[] = {"public", "hidden"};

	out->hidden = strcmp(item->valuestring, "hidden") == 0;
	return out->hidden || strcmp(item->valuestring, "public") == 0 ||
		reader_fail_word(
			reader, item, "a visibility", names, COUNT(names), err);
}

static bool read_tags(struct reader *reader, const cJSON *item,
	struct group *out, struct error *err)
{
	static const char *const names[] = {"formula", "range", "probe"};
	bool *const tags[] = {&out->formula, &out->range, &out->probe};

	for (const cJSON *child = item->child; child; child = child->next) {
		size_t t = 0;

		if (!json_expect(&reader->json, child, JSON_STRING, err))
			return false;
		while (t < COUNT(names) &&
			strcmp(child->valuestring, names[t]) != 0)
			t++;
		if (t == COUNT(names))
			return reader_fail_word(
				reader, child, "a tag", names, t, err);
		if (*tags[t])
			return json_fail(&reader->json, child, err,
				"is \"%s\", which is there already", names[t]);
		*tags[t] = true;
	}
	return true;
}

/* What is never graded has nothing that only a grade has. */
static bool check_probe(struct reader *reader, const cJSON *tags,
	const cJSON *points, const struct group *group, struct error *err)
{
	if (!group->probe)
		return true;
	if (group->formula || group->range)
		return json_fail(&reader->json, tags, err,
			"has \"probe\", which goes with no other tag");
	if (group->points > 0)
		return json_fail(&reader->json, points, err,
			"is %d, but a probe gives no points: expected 0",
			group->points);
	if (group->hidden)
		return json_fail(&reader->json, tags, err,
			"has \"probe\", but a probe cannot be hidden");
	return true;
}

/* Cases -------------------------------------------------------------------- */

static bool read_cases(struct reader *reader, const cJSON *item,
	struct group *out, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	const struct function *function = &exercise->functions[out->function];
	size_t *sum = out->probe ? &exercise->n_probes : &exercise->n_cases;
	size_t count = json_count(item);
	struct case_definition *cases;

	if (count == 0)
		return json_fail(&reader->json, item, err, "has no cases");
	reader->n_definitions += count;
	if (reader->n_definitions > CASE_DEFINITIONS_MAX)
		return json_fail(&reader->json, item, err,
			"has entry number %zu of all groups, expected at most "
			"%d",
			reader->n_definitions, CASE_DEFINITIONS_MAX);
	cases = arena_alloc(reader->arena, count, sizeof(*cases), err);
	if (!cases)
		return false;
	out->cases = cases;
	for (const cJSON *child = item->child; child; child = child->next) {
		if (!reader_read_case(
			    reader, function, child, &cases[out->n_cases], err))
			return false;
		*sum += cases[out->n_cases++].count;
		if (*sum > CASES_MAX)
			return json_fail(&reader->json, child, err,
				"makes %zu cases in all, expected at most %d",
				*sum, CASES_MAX);
	}
	return true;
}

static bool read_group(struct reader *reader, const cJSON *item,
	struct group *out, struct error *err)
{
	enum { NAME, TITLE, FUNCTION, POINTS, CASES, ALL, VISIBILITY, TAGS };
	static const struct json_key keys[] = {
		[NAME] = {"name", JSON_STRING, true},
		[TITLE] = {"title", JSON_STRING, true},
		[FUNCTION] = {"function", JSON_STRING, true},
		[POINTS] = {"points", JSON_NUMBER, true},
		[CASES] = {"cases", JSON_ARRAY, true},
		[ALL] = {"all_or_nothing", JSON_BOOL, false},
		[VISIBILITY] = {"visibility", JSON_STRING, false},
		[TAGS] = {"tags", JSON_ARRAY, false},
	};
	const cJSON *values[COUNT(keys)];
	int64_t points = 0;

	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err) ||
		!reader_name(reader, values[NAME], name_problem_of_label,
			&out->name, err) ||
		!reader_line(reader, values[TITLE], &out->title, err) ||
		!read_function_name(reader, values[FUNCTION], out, err) ||
		!json_integer(&reader->json, values[POINTS], 0, POINTS_MAX,
			&points, err))
		return false;
	if (values[VISIBILITY] &&
		!read_visibility(reader, values[VISIBILITY], out, err))
		return false;
	if (values[TAGS] && !read_tags(reader, values[TAGS], out, err))
		return false;
	out->points = (int)points;
	out->all_or_nothing = cJSON_IsTrue(values[ALL]);
	if (!check_probe(reader, values[TAGS], values[POINTS], out, err))
		return false;
	return read_cases(reader, values[CASES], out, err);
}

/* Over all groups ---------------------------------------------------------- */

static bool check_points(
	struct reader *reader, const cJSON *item, struct error *err)
{
	const struct exercise *exercise = reader->exercise;
	int64_t sum = 0;

	for (size_t g = 0; g < exercise->n_groups; g++) {
		const struct group *group = &exercise->groups[g];

		for (size_t i = 0; i < group->n_cases; i++) {
			if (!group->all_or_nothing || i == 0)
				sum += group->points *
					(int64_t)(group->all_or_nothing
							? 1
							: group->cases[i]
								  .count);
		}
	}
	if (sum > POINTS_MAX)
		return json_fail(&reader->json, item, err,
			"add up to %lld points, expected at most %d",
			(long long)sum, POINTS_MAX);
	return true;
}

struct case_name {
	char *name;
	const cJSON *item;
};

static int compare_names(const void *a, const void *b)
{
	const struct case_name *one = a;
	const struct case_name *other = b;
	int order = strcmp(one->name, other->name);

	if (order == 0)
		order = (one->item->valueint > other->item->valueint) -
			(one->item->valueint < other->item->valueint);
	return order;
}

/* Of the twins the pair that shows first in the file, for steady messages. */
static bool fail_twins(struct reader *reader, const struct case_name *names,
	size_t count, struct error *err)
{
	const struct case_name *found = NULL;

	for (size_t i = 1; i < count; i++) {
		if (strcmp(names[i - 1].name, names[i].name) == 0 &&
			(!found ||
				names[i].item->valueint <
					found->item->valueint))
			found = &names[i];
	}
	if (!found)
		return true;
	return json_fail(&reader->json, found->item, err,
		"makes a case \"%s\", as line %d does", found->name,
		json_line(&reader->json, found[-1].item));
}

/* The names of an entry's cases, each with the entry. */
static bool list_entry(const struct case_definition *definition,
	const cJSON *item, struct arena *arena, struct case_name *names,
	struct error *err)
{
	for (size_t n = 0; n < definition->count; n++) {
		names[n].item = item;
		names[n].name = case_name(definition, n, arena, err);
		if (!names[n].name)
			return false;
	}
	return true;
}

static bool list_names(const struct exercise *exercise, const cJSON *groups,
	struct arena *arena, struct case_name *names, struct error *err)
{
	const struct group *group = exercise->groups;

	for (const cJSON *item = groups->child; item; item = item->next) {
		const struct case_definition *definition = group->cases;
		const cJSON *cases =
			cJSON_GetObjectItemCaseSensitive(item, "cases");

		for (const cJSON *entry = cases->child; entry;
			entry = entry->next) {
			if (!list_entry(definition, entry, arena, names, err))
				return false;
			names += definition->count;
			definition++;
		}
		group++;
	}
	return true;
}

static bool check_names(
	struct reader *reader, const cJSON *item, struct error *err)
{
	const struct exercise *exercise = reader->exercise;
	struct arena *arena = arena_create(err);
	struct case_name *names = NULL;
	size_t count = exercise->n_cases + exercise->n_probes;
	bool good = false;

	if (arena)
		names = arena_alloc(arena, count, sizeof(*names), err);
	if (names && list_names(exercise, item, arena, names, err)) {
		qsort(names, count, sizeof(*names), compare_names);
		good = fail_twins(reader, names, count, err);
	}
	arena_destroy(arena);
	return good;
}

bool reader_read_groups(
	struct reader *reader, const cJSON *item, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	size_t count = json_count(item);
	struct group *groups;

	if (count == 0 || count > GROUPS_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu entries, expected 1 to %d", count, GROUPS_MAX);
	groups = arena_alloc(reader->arena, count, sizeof(*groups), err);
	reader->generators = arena_alloc(reader->arena, GENERATORS_MAX,
		sizeof(*reader->generators), err);
	reader->generated = arena_alloc(
		reader->arena, GENERATORS_MAX, sizeof(*reader->generated), err);
	if (!groups || !reader->generators || !reader->generated)
		return false;
	exercise->groups = groups;
	exercise->generator_functions = reader->generators;
	for (const cJSON *child = item->child; child; child = child->next) {
		struct group *group = &groups[exercise->n_groups];

		if (!read_group(reader, child, group, err))
			return false;
		for (size_t g = 0; g < exercise->n_groups; g++) {
			if (strcmp(groups[g].name, group->name) == 0)
				return json_fail(&reader->json, child, err,
					"has the name \"%s\", as groups[%zu] "
					"has",
					group->name, g);
		}
		exercise->n_groups++;
	}
	if (exercise->n_cases == 0)
		return json_fail(&reader->json, item, err,
			"are all probes, which are not graded");
	return check_points(reader, item, err) &&
		check_names(reader, item, err);
}
