/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/nearest.h"
#include "grader/engine/exercise_reader.h"
#include "grader/engine/names.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define SCHEMA "grader/exercise/1"

/* What the parts share ----------------------------------------------------- */

static bool keep(struct reader *reader, const char *text, const char **text_out,
	struct error *err)
{
	*text_out = arena_copy(reader->arena, text, strlen(text), err);
	return *text_out;
}

static bool read_text(struct reader *reader, const cJSON *item,
	const char **text_out, struct error *err)
{
	const char *text = NULL;

	return json_text(&reader->json, item, &text, err) &&
		keep(reader, text, text_out, err);
}

bool reader_line(struct reader *reader, const cJSON *item,
	const char **text_out, struct error *err)
{
	const char *text = NULL;

	return json_line_of_text(&reader->json, item, &text, err) &&
		keep(reader, text, text_out, err);
}

bool reader_name(struct reader *reader, const cJSON *item,
	const char *(*problem_of)(const char *), const char **name_out,
	struct error *err)
{
	const char *problem;

	if (!json_expect(&reader->json, item, JSON_STRING, err))
		return false;
	problem = problem_of(item->valuestring);
	if (problem)
		return json_fail(&reader->json, item, err,
			"is \"%.80s\", which %s", item->valuestring, problem);
	return keep(reader, item->valuestring, name_out, err);
}

bool reader_fail_word(struct reader *reader, const cJSON *item,
	const char *says, const char *const names[], size_t count,
	struct error *err)
{
	const char *meant = nearest_name(item->valuestring, names, count);
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
			"%s%s", i ? ", " : "", names[i]);
	if (meant)
		return json_expected(&reader->json, item, err,
			"%s (%s); did you mean \"%s\"?", says, list, meant);
	return json_expected(&reader->json, item, err, "%s (%s)", says, list);
}

bool reader_fail_because(struct reader *reader, const cJSON *item,
	const char *says, const struct error *why, struct error *err)
{
	if (why->kind == ERROR_EXERCISE)
		return json_fail(
			&reader->json, item, err, "%s: %s", says, why->message);
	*err = *why;
	return false;
}

/* The top level ------------------------------------------------------------ */

static bool read_limits(struct reader *reader, const cJSON *item,
	struct exercise_limits *limits, struct error *err)
{
	enum { CPU_CASE, CPU_TOTAL, MEMORY, STACK, OUTPUT };
	static const struct json_key keys[] = {
		[CPU_CASE] = {"cpu_case_ms", JSON_NUMBER, false},
		[CPU_TOTAL] = {"cpu_total_ms", JSON_NUMBER, false},
		[MEMORY] = {"memory_mib", JSON_NUMBER, false},
		[STACK] = {"stack_kib", JSON_NUMBER, false},
		[OUTPUT] = {"output_mib", JSON_NUMBER, false},
	};
	static const struct {
		int64_t min, max, standard;
	} ranges[] = {
		[CPU_CASE] = {1, 600000, 1000},
		[CPU_TOTAL] = {1, 3600000, 10000},
		[MEMORY] = {1, 16384, 64},
		[STACK] = {64, 1048576, 8192},
		[OUTPUT] = {1, 1024, 16},
	};
	const cJSON *values[COUNT(keys)] = {NULL};
	int64_t numbers[COUNT(keys)];

	if (item &&
		!json_object(
			&reader->json, item, keys, COUNT(keys), values, err))
		return false;
	for (size_t i = 0; i < COUNT(keys); i++) {
		numbers[i] = ranges[i].standard;
		if (values[i] &&
			!json_integer(&reader->json, values[i], ranges[i].min,
				ranges[i].max, &numbers[i], err))
			return false;
	}
	if (numbers[CPU_CASE] > numbers[CPU_TOTAL])
		return json_fail(&reader->json, item, err,
			"has a cpu_case_ms of %lld, above cpu_total_ms, %lld",
			(long long)numbers[CPU_CASE],
			(long long)numbers[CPU_TOTAL]);
	*limits = (struct exercise_limits){
		.cpu_case_ms = (uint64_t)numbers[CPU_CASE],
		.cpu_total_ms = (uint64_t)numbers[CPU_TOTAL],
		.memory_bytes = (uint64_t)numbers[MEMORY] << 20,
		.stack_bytes = (uint64_t)numbers[STACK] << 10,
		.output_bytes = (uint64_t)numbers[OUTPUT] << 20,
	};
	return true;
}

static bool read_tolerance(struct reader *reader, const cJSON *item,
	struct tolerance *tolerance, struct error *err)
{
	enum { RTOL, ATOL };
	static const struct json_key keys[] = {
		[RTOL] = {"rtol", JSON_NUMBER, true},
		[ATOL] = {"atol", JSON_NUMBER, true},
	};
	const cJSON *values[COUNT(keys)];
	double numbers[COUNT(keys)];

	if (!item)
		return true;
	if (!json_object(&reader->json, item, keys, COUNT(keys), values, err))
		return false;
	for (size_t i = 0; i < COUNT(keys); i++) {
		if (!json_real(&reader->json, values[i], DBL_MAX, &numbers[i],
			    err))
			return false;
		if (numbers[i] < 0)
			return json_expected(&reader->json, values[i], err,
				"a number of at least 0");
	}
	*tolerance = (struct tolerance){true, numbers[RTOL], numbers[ATOL]};
	return true;
}

static bool read_hint(struct reader *reader, const cJSON *item,
	struct hint *out, struct error *err)
{
	enum { TITLE, TEXT };
	static const struct json_key keys[] = {
		[TITLE] = {"title", JSON_STRING, true},
		[TEXT] = {"text", JSON_STRING, true},
	};
	const cJSON *values[COUNT(keys)];

	return json_object(
		       &reader->json, item, keys, COUNT(keys), values, err) &&
		reader_line(reader, values[TITLE], &out->title, err) &&
		read_text(reader, values[TEXT], &out->text, err);
}

static bool check_texts(struct reader *reader, const cJSON *item, size_t count,
	struct error *err)
{
	return count <= TEXTS_MAX ||
		json_fail(&reader->json, item, err,
			"has %zu entries, expected at most %d", count,
			TEXTS_MAX);
}

static bool read_hints(
	struct reader *reader, const cJSON *item, struct error *err)
{
	size_t count = item ? json_count(item) : 0;
	struct hint *hints =
		arena_alloc(reader->arena, count, sizeof(*hints), err);
	size_t i = 0;

	if (!hints || !check_texts(reader, item, count, err))
		return false;
	for (const cJSON *child = item ? item->child : NULL; child;
		child = child->next) {
		if (!read_hint(reader, child, &hints[i++], err))
			return false;
	}
	reader->exercise->hints = hints;
	reader->exercise->n_hints = count;
	return true;
}

static bool read_texts(struct reader *reader, const cJSON *item,
	const char *const **texts_out, size_t *count_out, struct error *err)
{
	size_t count = item ? json_count(item) : 0;
	const char **texts =
		arena_alloc(reader->arena, count, sizeof(*texts), err);
	size_t i = 0;

	if (!texts || !check_texts(reader, item, count, err))
		return false;
	for (const cJSON *child = item ? item->child : NULL; child;
		child = child->next) {
		if (!read_text(reader, child, &texts[i++], err))
			return false;
	}
	*texts_out = texts;
	*count_out = count;
	return true;
}

/* First of all: a later schema has keys that are unknown here. */
static bool check_schema(struct reader *reader, struct error *err)
{
	const struct json *json = &reader->json;
	const cJSON *schema;

	if (!json_expect(json, json->root, JSON_OBJECT, err))
		return false;
	schema = cJSON_GetObjectItemCaseSensitive(json->root, "schema");
	if (!schema)
		return json_fail(json, json->root, err, "has no \"schema\"");
	if (!cJSON_IsString(schema) || strcmp(schema->valuestring, SCHEMA) != 0)
		return json_expected(json, schema, err, "\"%s\"", SCHEMA);
	return true;
}

enum {
	KEY_SCHEMA,
	KEY_NAME,
	KEY_TITLE,
	KEY_SUMMARY,
	KEY_SEED,
	KEY_FUNCTIONS,
	KEY_LIMITS,
	KEY_TOLERANCE,
	KEY_GROUPS,
	KEY_HINTS,
	KEY_WATCH_OUT,
	KEY_STEPS,
	KEY_STAGES,
	N_KEYS
};

static const struct json_key top_keys[N_KEYS] = {
	[KEY_SCHEMA] = {"schema", JSON_STRING, true},
	[KEY_NAME] = {"name", JSON_STRING, true},
	[KEY_TITLE] = {"title", JSON_STRING, true},
	[KEY_SUMMARY] = {"summary", JSON_STRING, true},
	[KEY_SEED] = {"seed", JSON_NUMBER, true},
	[KEY_FUNCTIONS] = {"functions", JSON_ARRAY, true},
	[KEY_LIMITS] = {"limits", JSON_OBJECT, false},
	[KEY_TOLERANCE] = {"tolerance", JSON_OBJECT, false},
	[KEY_GROUPS] = {"groups", JSON_ARRAY, true},
	[KEY_HINTS] = {"hints", JSON_ARRAY, false},
	[KEY_WATCH_OUT] = {"watch_out", JSON_ARRAY, false},
	[KEY_STEPS] = {"steps", JSON_ARRAY, false},
	[KEY_STAGES] = {"stages", JSON_ARRAY, false},
};

static bool read_top(struct reader *reader, struct error *err)
{
	struct exercise *exercise = reader->exercise;
	const struct json *json = &reader->json;
	const cJSON *values[N_KEYS];

	return check_schema(reader, err) &&
		json_object(json, json->root, top_keys, N_KEYS, values, err) &&
		reader_name(reader, values[KEY_NAME], name_problem_of_label,
			&exercise->name, err) &&
		reader_line(reader, values[KEY_TITLE], &exercise->title, err) &&
		reader_line(
			reader, values[KEY_SUMMARY], &exercise->summary, err) &&
		json_unsigned(json, values[KEY_SEED], UINT64_MAX,
			&exercise->seed, err) &&
		read_limits(
			reader, values[KEY_LIMITS], &exercise->limits, err) &&
		read_tolerance(reader, values[KEY_TOLERANCE],
			&exercise->tolerance, err) &&
		read_hints(reader, values[KEY_HINTS], err) &&
		read_texts(reader, values[KEY_WATCH_OUT], &exercise->watch_out,
			&exercise->n_watch_out, err) &&
		read_texts(reader, values[KEY_STEPS], &exercise->steps,
			&exercise->n_steps, err) &&
		reader_read_functions(reader, values[KEY_FUNCTIONS], err) &&
		reader_read_stages(reader, values[KEY_STAGES], err) &&
		reader_read_groups(reader, values[KEY_GROUPS], err);
}

bool exercise_read(const char *path, const char *text, size_t len,
	struct arena *arena, struct exercise *exercise_out, struct error *err)
{
	struct exercise exercise = {0};
	struct reader reader = {.arena = arena, .exercise = &exercise};
	bool good;

	if (!json_parse(path, text, len, &reader.json, err))
		return false;
	good = read_top(&reader, err);
	json_finish(&reader.json);
	if (good)
		*exercise_out = exercise;
	return good;
}
