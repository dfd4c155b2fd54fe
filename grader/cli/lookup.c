/* SPDX-License-Identifier: MIT */
#include "grader/cli/lookup.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/engine/exercise.h"
#include "grader/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PLACES_MAX = 4,
	FOUND_MAX = 1024,
	NAMES_SHOWN = 20,
};

/* Those that the user named. */
static size_t list_named_places(
	const struct invocation *invocation, const char *places[PLACES_MAX])
{
	size_t count = 0;

	if (invocation->options.exercises)
		places[count++] = invocation->options.exercises;
	if (invocation->environment.exercises)
		places[count++] = invocation->environment.exercises;
	return count;
}

/* The folders that hold exercises, in the order in which they are searched. */
static size_t list_places(
	const struct invocation *invocation, const char *places[PLACES_MAX])
{
	size_t count = list_named_places(invocation, places);

	places[count++] = "exercises";
	places[count++] = EXERCISES_DIR;
	return count;
}

static bool is_exercise(const char *folder, struct arena *arena)
{
	struct error ignored;
	struct stat status;
	const char *file =
		arena_printf(arena, &ignored, "%s/exercise.json", folder);

	/* Not stat(): of a link to nothing, loading it tells. */
	return file && lstat(file, &status) == 0;
}

void lookup_put_places(struct text *out, const struct invocation *invocation)
{
	const char *places[PLACES_MAX];
	size_t count = list_places(invocation, places);

	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%s",
			i == 0                  ? ""
				: i + 1 < count ? ", "
						: " and ",
			places[i]);
}

/* All exercises of one folder, behind those that are there already. */
static bool add_place(struct invocation *invocation, const char *place,
	struct found_exercises *found, struct error *err)
{
	DIR *dir = opendir(place);
	struct dirent *entry;
	bool good = true;

	if (!dir)
		return true;
	while (good && found->count < FOUND_MAX && (entry = readdir(dir))) {
		struct found_exercise item;

		if (entry->d_name[0] == '.')
			continue;
		item.folder = arena_printf(
			invocation->arena, err, "%s/%s", place, entry->d_name);
		item.name = item.folder ? item.folder + strlen(item.folder) -
				strlen(entry->d_name)
					: NULL;
		good = item.folder != NULL;
		if (good && is_exercise(item.folder, invocation->arena))
			found->items[found->count++] = item;
	}
	closedir(dir);
	return good;
}

static int by_name(const void *a, const void *b)
{
	const struct found_exercise *one = a, *other = b;

	return strcmp(one->name, other->name);
}

/* A stable sort by name: of two of one name, the first found stays first. */
static void sort_and_merge(struct found_exercises *found)
{
	size_t kept = 0;

	for (size_t i = 1; i < found->count; i++) {
		struct found_exercise item = found->items[i];
		size_t at = i;

		for (; at > 0 && by_name(&item, &found->items[at - 1]) < 0;
			at--)
			found->items[at] = found->items[at - 1];
		found->items[at] = item;
	}
	for (size_t i = 0; i < found->count; i++)
		if (kept == 0 ||
			by_name(&found->items[kept - 1], &found->items[i]) != 0)
			found->items[kept++] = found->items[i];
	found->count = kept;
}

static bool find_all(struct invocation *invocation, size_t n_places,
	struct found_exercises *found, struct error *err)
{
	const char *places[PLACES_MAX];

	list_places(invocation, places);
	*found = (struct found_exercises){0};
	found->items = arena_alloc(
		invocation->arena, FOUND_MAX, sizeof(*found->items), err);
	if (!found->items)
		return false;
	for (size_t i = 0; i < n_places; i++)
		if (!add_place(invocation, places[i], found, err))
			return false;
	sort_and_merge(found);
	return true;
}

bool lookup_all(struct invocation *invocation, struct found_exercises *found,
	struct error *err)
{
	const char *places[PLACES_MAX];
	size_t count = list_places(invocation, places);

	if (!invocation->options.exercises)
		return find_all(invocation, count, found, err);
	if (access(places[0], R_OK | X_OK) < 0)
		return error_set(err, ERROR_USAGE,
			"cannot read the folder '%s': %s", places[0],
			strerrordesc_np(errno));
	return find_all(invocation, 1, found, err);
}

/* "there is no exercise 'x'; did you mean 'y'?", or which there are. */
static bool refuse_unknown(
	struct invocation *invocation, const char *name, struct error *err)
{
	const char *places[PLACES_MAX], *names[FOUND_MAX], *nearest;
	struct found_exercises found;
	struct text rest = {0};

	if (!find_all(invocation, list_places(invocation, places), &found, err))
		return false;
	for (size_t i = 0; i < found.count; i++)
		names[i] = found.items[i].name;
	nearest = nearest_name(name, names, found.count);
	if (nearest) {
		text_printf(&rest, "; did you mean '%s'?", nearest);
	} else if (found.count == 0) {
		text_puts(&rest, ", nor any other in ");
		lookup_put_places(&rest, invocation);
		text_puts(&rest, "; --exercises names another folder");
	} else {
		text_puts(&rest, "; there is ");
		for (size_t i = 0; i < found.count && i < NAMES_SHOWN; i++)
			text_printf(&rest, "%s%s", i ? ", " : "", names[i]);
	}
	error_write(err, ERROR_USAGE, "there is no exercise '%.100s'%s", name,
		rest.data ? rest.data : "");
	text_finish(&rest);
	return false;
}

/*
 * The folder of the exercise, or NULL.  A folder of that name right here comes
 * after the places that were named: who grades in a learner's folder must not
 * find the learner's own exercise in there.
 */
static const char *find_folder(
	struct invocation *invocation, const char *name, struct error *err)
{
	const char *places[PLACES_MAX];
	size_t n_named = list_named_places(invocation, places);
	size_t count = list_places(invocation, places);

	if (strchr(name, '/'))
		return name;
	for (size_t i = 0; name[0] != '\0' && i < count; i++) {
		const char *folder = arena_printf(
			invocation->arena, err, "%s/%s", places[i], name);

		if (!folder)
			return NULL;
		if (i == n_named && is_exercise(name, invocation->arena))
			return name;
		if (is_exercise(folder, invocation->arena))
			return folder;
	}
	(void)refuse_unknown(invocation, name, err);
	return NULL;
}

bool lookup_exercise(struct invocation *invocation,
	struct exercise *exercise_out, struct error *err)
{
	const char *folder =
		find_folder(invocation, invocation->arguments[0], err);

	return folder &&
		exercise_load(folder, invocation->arena, exercise_out, err);
}

const char *lookup_words(struct invocation *invocation, struct error *err)
{
	const char *places = invocation->options.exercises;
	struct text words = {0};
	const char *copy = NULL;

	if (places) {
		text_puts(&words, "--exercises ");
		report_put_word(&words, places, invocation->style.ascii);
		text_putc(&words, ' ');
	}
	report_put_word(
		&words, invocation->arguments[0], invocation->style.ascii);
	if (text_check(&words, err))
		copy = arena_copy(
			invocation->arena, words.data, words.len, err);
	text_finish(&words);
	return copy;
}
