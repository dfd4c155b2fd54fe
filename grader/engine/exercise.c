/* SPDX-License-Identifier: MIT */
#include "grader/engine/exercise.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/nearest.h"
#include "grader/engine/hash.h"
#include "grader/engine/json.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define SOURCE_BYTES_MAX ((size_t)1 << 20)

char *case_name(const struct case_definition *definition, size_t n,
	struct arena *arena, struct error *err)
{
	if (definition->count == 1)
		return arena_printf(arena, err, "%s", definition->name);
	return arena_printf(arena, err, "%s-%zu", definition->name, n + 1);
}

/* The folder --------------------------------------------------------------- */

struct folder {
	const char *path;
	int fd;
	struct arena *arena;
};

static bool fail_file(const struct folder *folder, const char *name,
	const char *says, struct error *err)
{
	return error_set(
		err, ERROR_EXERCISE, "%s/%s: %s", folder->path, name, says);
}

static bool fail_errno(
	const struct folder *folder, const char *name, struct error *err)
{
	const char *meaning = strerrordesc_np(errno);

	return error_set(err, ERROR_EXERCISE, "%s/%s: cannot be read: %s",
		folder->path, name, meaning ? meaning : "unknown error");
}

static bool read_open_file(const struct folder *folder, int fd, size_t size,
	struct exercise_source *file, struct error *err)
{
	size_t have = 0;
	char *data = arena_alloc(folder->arena, size + 1, 1, err);

	if (!data)
		return false;
	/* One byte more than it has: one that grows meanwhile is refused. */
	while (have <= size) {
		ssize_t n = read(fd, data + have, size + 1 - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno(folder, file->name, err);
		if (n == 0)
			break;
		have += (size_t)n;
	}
	if (have != size)
		return fail_file(folder, file->name,
			"changed while it was read; try again", err);
	file->data = data;
	file->len = have;
	return true;
}

/* file->name is set; data stays NULL if there is no such file. */
static bool read_file(const struct folder *folder, size_t max,
	struct exercise_source *file, struct error *err)
{
	struct stat status;
	CLEANUP(cleanup_close)
	int fd = file_open_regular(folder->fd, file->name, &status);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && errno == ELOOP)
		return fail_file(folder, file->name,
			"is a symbolic link, expected a regular file", err);
	if (fd < 0 && (errno == EISDIR || errno == ENXIO))
		return fail_file(folder, file->name, "is no regular file", err);
	if (fd < 0)
		return fail_errno(folder, file->name, err);
	if ((uintmax_t)status.st_size > max)
		return error_set(err, ERROR_EXERCISE,
			"%s/%s: has %jd bytes, expected at most %zu",
			folder->path, file->name, (intmax_t)status.st_size,
			max);
	return read_open_file(folder, fd, (size_t)status.st_size, file, err);
}

/* A text that is shown must be UTF-8; one that is compiled may be anything
   that gcc reads, but for NULs, which it only warns of. */
static bool check_bytes(const struct folder *folder,
	const struct exercise_source *file, bool shown, struct error *err)
{
	unsigned int code;
	size_t line = 1;
	size_t n = 1;

	for (size_t i = 0; i < file->len; i += n) {
		if (file->data[i] == '\0')
			return error_set(err, ERROR_EXERCISE,
				"%s/%s:%zu: has a NUL byte", folder->path,
				file->name, line);
		n = 1;
		if (shown)
			n = escape_utf8(file->data + i, file->len - i, &code);
		if (n == 0)
			return error_set(err, ERROR_EXERCISE,
				"%s/%s:%zu: has a byte 0x%02x that is no UTF-8",
				folder->path, file->name, line,
				(unsigned int)(unsigned char)file->data[i]);
		line += file->data[i] == '\n';
	}
	return true;
}

static bool read_sources(const struct folder *folder, struct exercise *exercise,
	struct error *err)
{
	static const struct {
		const char *name;
		bool required;
		bool shown;
	} rules[] = {
		{"lesson.md", true, true},
		{"solution.c", true, false},
		{"reference.c", true, false},
		{"generators.c", false, false},
		{"mistakes.c", false, false},
		{"explain.c", false, false},
	};
	struct exercise_source *const files[COUNT(rules)] = {&exercise->lesson,
		&exercise->solution, &exercise->reference,
		&exercise->generators, &exercise->mistakes, &exercise->explain};

	for (size_t i = 0; i < COUNT(rules); i++) {
		files[i]->name = rules[i].name;
		if (!read_file(folder, SOURCE_BYTES_MAX, files[i], err))
			return false;
		if (!files[i]->data && rules[i].required)
			return fail_file(
				folder, rules[i].name, "is missing", err);
		if (!check_bytes(folder, files[i], rules[i].shown, err))
			return false;
	}
	return true;
}

/* Generators that are not there ---------------------------------------------
 */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c == '_';
}

/* The next "generate_..." of a C text from *at on, copied, or NULL. */
static char *next_generator(const struct exercise_source *source, size_t *at,
	struct arena *arena, struct error *err)
{
	static const char prefix[] = "generate_";

	while (*at < source->len) {
		size_t start = *at;

		while (*at < source->len && is_word(source->data[*at]))
			(*at)++;
		if (*at - start > sizeof(prefix) - 1 &&
			memcmp(source->data + start, prefix,
				sizeof(prefix) - 1) == 0)
			return arena_copy(
				arena, source->data + start, *at - start, err);
		if (*at == start)
			(*at)++;
	}
	return NULL;
}

/*
 * Whether generators.c has the name at all.  That it is a function of the
 * right type is for the compiler to say; a name that is only misspelt is found
 * here, with its place.
 */
static bool find_generator(const struct folder *folder,
	const struct exercise_source *source, const char *name,
	const char **meant_out, struct error *err)
{
	enum { NAMES_MAX = 4 * GENERATORS_MAX };
	const char *names[NAMES_MAX];
	size_t count = 0;
	size_t at = 0;

	*meant_out = NULL;
	while (count < NAMES_MAX) {
		names[count] = next_generator(source, &at, folder->arena, err);
		if (!names[count])
			break;
		if (strcmp(names[count], name) == 0)
			return true;
		count++;
	}
	*meant_out = nearest_name(name, names, count);
	/* Too many to tell, or made by a macro: up to the linker. */
	return count == NAMES_MAX || memmem(source->data, source->len, "##", 2);
}

static bool check_definition(const struct folder *folder,
	const struct exercise *exercise, size_t g, size_t i, struct error *err)
{
	const struct case_definition *definition =
		&exercise->groups[g].cases[i];
	const struct exercise_source *source = &exercise->generators;
	const char *name;
	const char *meant = NULL;

	if (definition->kind != CASE_GENERATED)
		return true;
	name = exercise->generator_functions[definition->generator_index].name;
	if (!source->data)
		return error_set(err, ERROR_EXERCISE,
			"%s/exercise.json:%d: groups[%zu].cases[%zu].generator "
			"is \"%s\", but there is no generators.c",
			folder->path, definition->line, g, i,
			definition->generator);
	if (find_generator(folder, source, name, &meant, err))
		return true;
	return error_set(err, ERROR_EXERCISE,
		"%s/exercise.json:%d: groups[%zu].cases[%zu].generator is "
		"\"%s\", but generators.c has no %s%s%s%s",
		folder->path, definition->line, g, i, definition->generator,
		name, meant ? "; did you mean " : "", meant ? meant : "",
		meant ? "?" : "");
}

static bool check_generators(const struct folder *folder,
	const struct exercise *exercise, struct error *err)
{
	size_t checked = 0;

	for (size_t g = 0; g < exercise->n_groups; g++) {
		const struct group *group = &exercise->groups[g];

		for (size_t i = 0; i < group->n_cases; i++) {
			/* Each once, where it is first named. */
			if (group->cases[i].generator &&
				group->cases[i].generator_index < checked)
				continue;
			if (!check_definition(folder, exercise, g, i, err))
				return false;
			checked += group->cases[i].generator != NULL;
		}
	}
	return true;
}

/* The switches and what they switch. */
static bool check_stages(const struct folder *folder,
	const struct exercise *exercise, struct error *err)
{
	if (exercise->n_stages > 0 && !exercise->mistakes.data)
		return error_set(err, ERROR_EXERCISE,
			"%s/exercise.json: has stages, but there is no "
			"mistakes.c",
			folder->path);
	if (exercise->n_stages == 0 && exercise->mistakes.data)
		return fail_file(folder, exercise->mistakes.name,
			"is there, but exercise.json has no stages", err);
	return true;
}

/* What explain.c has to define, if it is there. */
static bool name_explainers(const struct folder *folder,
	struct exercise *exercise, struct error *err)
{
	size_t count = exercise->n_functions;
	struct function *explainers;
	bool good = true;

	if (!exercise->explain.data)
		return true;
	explainers =
		arena_alloc(folder->arena, 2 * count, sizeof(*explainers), err);
	if (!explainers)
		return false;
	for (size_t f = 0; good && f < count; f++)
		good = function_explain(&exercise->functions[f], folder->arena,
			       &explainers[f], err) &&
			function_steps(&exercise->functions[f], folder->arena,
				&explainers[count + f], err);
	exercise->explainers = explainers;
	if (!good && err->kind == ERROR_EXERCISE)
		return error_prefix(
			err, "%s/%s", folder->path, exercise->explain.name);
	return good;
}

/* All of it ---------------------------------------------------------------- */

static void hash_file(struct hash *hash, const struct exercise_source *file)
{
	if (!file->data)
		return;
	hash_add_string(hash, file->name);
	hash_add(hash, file->data, file->len);
}

static void hash_files(
	const struct exercise_source *json, struct exercise *exercise)
{
	struct hash hash;

	hash_init(&hash);
	hash_file(&hash, json);
	hash_file(&hash, &exercise->lesson);
	hash_file(&hash, &exercise->solution);
	hash_file(&hash, &exercise->reference);
	hash_file(&hash, &exercise->generators);
	hash_file(&hash, &exercise->mistakes);
	hash_file(&hash, &exercise->explain);
	hash_hex(&hash, exercise->hash);
}

static bool load(const struct folder *folder, struct exercise *exercise,
	struct error *err)
{
	struct exercise_source json = {.name = "exercise.json"};
	char *path = arena_printf(
		folder->arena, err, "%s/%s", folder->path, json.name);

	if (!path || !read_file(folder, JSON_BYTES_MAX, &json, err))
		return false;
	if (!json.data)
		return fail_file(folder, json.name, "is missing", err);
	if (!exercise_read(
		    path, json.data, json.len, folder->arena, exercise, err) ||
		!read_sources(folder, exercise, err) ||
		!check_generators(folder, exercise, err) ||
		!check_stages(folder, exercise, err) ||
		!name_explainers(folder, exercise, err))
		return false;
	exercise->folder = folder->path;
	hash_files(&json, exercise);
	return true;
}

/* "x/" is "x": messages and reports show the folder. */
static char *trim_folder(
	const char *folder, struct arena *arena, struct error *err)
{
	size_t len = strlen(folder);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	return arena_copy(arena, folder, len, err);
}

static bool fail_open(const char *folder, struct error *err)
{
	int number = errno;

	(void)error_set_errno(err, "cannot open the exercise '%s'", folder);
	/* Out of descriptors or memory is not the user's slip. */
	if (number != EMFILE && number != ENFILE && number != ENOMEM)
		err->kind = ERROR_USAGE;
	return false;
}

bool exercise_load(const char *folder, struct arena *arena,
	struct exercise *exercise_out, struct error *err)
{
	CLEANUP(cleanup_close)
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct exercise exercise = {0};
	struct folder from = {.fd = fd, .arena = arena};

	if (fd < 0)
		return fail_open(folder, err);
	from.path = trim_folder(folder, arena, err);
	if (!from.path || !load(&from, &exercise, err))
		return false;
	*exercise_out = exercise;
	return true;
}
