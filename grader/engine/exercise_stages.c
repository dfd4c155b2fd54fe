/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "grader/engine/exercise_reader.h"
#include "grader/engine/names.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct mistake *find_mistake(
	const struct exercise *exercise, const char *name)
{
	for (size_t s = 0; s < exercise->n_stages; s++) {
		const struct stage *stage = &exercise->stages[s];

		for (size_t m = 0; m < stage->n_mistakes; m++) {
			if (strcmp(stage->mistakes[m].name, name) == 0)
				return &stage->mistakes[m];
		}
	}
	return NULL;
}

static bool read_number(struct reader *reader, const cJSON *item,
	const char *list, size_t count, size_t *out, struct error *err)
{
	int64_t number;

	if (!item)
		return true;
	if (count == 0)
		return json_fail(&reader->json, item, err,
			"is there, but the exercise has no \"%s\"", list);
	if (!json_integer(&reader->json, item, 1, (int64_t)count, &number, err))
		return false;
	*out = (size_t)number;
	return true;
}

static bool read_mistake(struct reader *reader, const cJSON *item,
	struct mistake *out, struct error *err)
{
	enum { NAME, SAYS, HINT, WATCH_OUT, FAMILY, RANGE };
	static const struct json_key keys[] = {
		[NAME] = {"name", JSON_STRING, true},
		[SAYS] = {"says", JSON_STRING, true},
		[HINT] = {"hint", JSON_NUMBER, true},
		[WATCH_OUT] = {"watch_out", JSON_NUMBER, false},
		[FAMILY] = {"family", JSON_STRING, false},
		[RANGE] = {"range", JSON_BOOL, false},
	};
	struct exercise *exercise = reader->exercise;
	const cJSON *values[COUNT(keys)];

	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err) ||
		!reader_name(reader, values[NAME], name_problem_of_label,
			&out->name, err))
		return false;
	if (find_mistake(exercise, out->name))
		return json_fail(&reader->json, values[NAME], err,
			"is \"%s\", the name of another mistake", out->name);
	out->family = out->name;
	out->range = cJSON_IsTrue(values[RANGE]);
	return reader_line(reader, values[SAYS], &out->says, err) &&
		read_number(reader, values[HINT], "hints", exercise->n_hints,
			&out->hint, err) &&
		read_number(reader, values[WATCH_OUT], "watch_out",
			exercise->n_watch_out, &out->watch_out, err) &&
		(!values[FAMILY] ||
			reader_name(reader, values[FAMILY],
				name_problem_of_label, &out->family, err));
}

static bool read_stage(struct reader *reader, const cJSON *item,
	struct stage *out, struct error *err)
{
	enum { NAME, CHOICES };
	static const struct json_key keys[] = {
		[NAME] = {"name", JSON_STRING, true},
		[CHOICES] = {"choices", JSON_ARRAY, true},
	};
	const cJSON *values[COUNT(keys)];
	struct mistake *mistakes;
	size_t count;

	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err) ||
		!reader_name(reader, values[NAME], name_problem_of_label,
			&out->name, err))
		return false;
	count = json_count(values[CHOICES]);
	if (count == 0 || count > MISTAKES_MAX)
		return json_fail(&reader->json, values[CHOICES], err,
			"has %zu entries, expected 1 to %d", count,
			MISTAKES_MAX);
	mistakes = arena_alloc(reader->arena, count, sizeof(*mistakes), err);
	if (!mistakes)
		return false;
	out->mistakes = mistakes;
	for (const cJSON *child = values[CHOICES]->child; child;
		child = child->next) {
		if (!read_mistake(
			    reader, child, &mistakes[out->n_mistakes], err))
			return false;
		out->n_mistakes++;
	}
	return true;
}

static bool name_mistaken(struct reader *reader, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	struct function *mistaken = arena_alloc(
		reader->arena, exercise->n_functions, sizeof(*mistaken), err);

	if (!mistaken)
		return false;
	for (size_t f = 0; f < exercise->n_functions; f++) {
		if (!function_mistaken(&exercise->functions[f],
			    exercise->n_stages, reader->arena, &mistaken[f],
			    err))
			return false;
	}
	exercise->mistaken = mistaken;
	return true;
}

bool reader_read_stages(
	struct reader *reader, const cJSON *item, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	size_t count = item ? json_count(item) : 0;
	struct stage *stages;

	if (count == 0)
		return true;
	if (count > STAGES_MAX)
		return json_fail(&reader->json, item, err,
			"has %zu entries, expected at most %d", count,
			STAGES_MAX);
	stages = arena_alloc(reader->arena, count, sizeof(*stages), err);
	if (!stages)
		return false;
	exercise->stages = stages;
	for (const cJSON *child = item->child; child; child = child->next) {
		/* The names of one that is being read count as well. */
		if (!read_stage(
			    reader, child, &stages[exercise->n_stages++], err))
			return false;
	}
	return name_mistaken(reader, err);
}
