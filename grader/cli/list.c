/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/output.h"
#include "grader/engine/exercise.h"

static size_t measure(const struct style *style,
	const struct exercise *exercises, size_t count, bool title)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++) {
		const char *words =
			title ? exercises[i].title : exercises[i].name;
		size_t columns = style_columns_of_words(style, words);

		if (columns > widest)
			widest = columns;
	}
	return widest;
}

static void put_list(struct text *out, const struct style *style,
	const struct exercise *exercises, size_t count)
{
	size_t names = measure(style, exercises, count, false);
	size_t titles = measure(style, exercises, count, true);

	for (size_t i = 0; i < count; i++) {
		const struct exercise *exercise = &exercises[i];
		size_t start = out->len;

		style_begin(out, style, PAINT_BOLD);
		style_put_words(out, style, exercise->name);
		style_end(out, style);
		style_pad(out, start, names + 2);
		style_put_words(out, style, exercise->title);
		style_pad(out, start, names + 2 + titles + 2);
		text_printf(out, "%zu case%s\n", exercise->n_cases,
			exercise->n_cases == 1 ? "" : "s");
	}
}

/* A broken exercise is told and left out; the others are listed all the
   same.  Sets *count_out to how many there are. */
static struct exercise *load_all(struct invocation *invocation,
	const struct found_exercises *found, size_t *count_out,
	struct error *err)
{
	struct exercise *exercises = arena_alloc(
		invocation->arena, found->count, sizeof(*exercises), err);
	size_t count = 0;

	for (size_t i = 0; exercises && i < found->count; i++) {
		struct error broken = {0};

		if (exercise_load(found->items[i].folder, invocation->arena,
			    &exercises[count], &broken)) {
			count++;
			continue;
		}
		output_complain(broken.message);
		invocation->status = broken.kind == ERROR_SYSTEM
			? STATUS_SYSTEM
			: STATUS_EXERCISE;
	}
	*count_out = count;
	return exercises;
}

static bool refuse_none(const struct invocation *invocation, struct error *err)
{
	struct text places = {0};

	/* That one alone was searched. */
	if (invocation->options.exercises)
		text_puts(&places, invocation->options.exercises);
	else
		lookup_put_places(&places, invocation);
	error_write(err, ERROR_USAGE, "there is no exercise in %s%s",
		places.data ? places.data : "any folder",
		invocation->options.exercises
			? ""
			: "; --exercises names another folder");
	text_finish(&places);
	return false;
}

bool command_list(struct invocation *invocation, struct error *err)
{
	struct found_exercises found;
	struct exercise *exercises;
	struct text out = {0};
	size_t count;
	bool good;

	if (!lookup_all(invocation, &found, err))
		return false;
	if (found.count == 0)
		return refuse_none(invocation, err);
	exercises = load_all(invocation, &found, &count, err);
	if (!exercises)
		return false;
	put_list(&out, &invocation->style, exercises, count);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}
