/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/output.h"
#include "grader/engine/exercise.h"
#include "grader/engine/source.h"
#include "grader/report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_FILES = 3 };

static const struct {
	const char *name;
	void (*put)(struct text *out, const struct exercise *exercise);
} files[N_FILES] = {
	{"solve.c", source_put_starter},
	{"solve.h", source_put_header},
	{"try.c", source_put_try},
};

static bool find_paths(struct invocation *invocation, const char *dir,
	const char *paths[N_FILES], struct error *err)
{
	for (size_t i = 0; i < N_FILES; i++) {
		paths[i] = dir ? arena_printf(invocation->arena, err, "%s/%s",
					 dir, files[i].name)
			       : files[i].name;
		if (!paths[i])
			return false;
	}
	return true;
}

/* All three names must be free before the first is written. */
static bool check_free(const char *paths[N_FILES], struct error *err)
{
	struct stat status;

	for (size_t i = 0; i < N_FILES; i++)
		if (lstat(paths[i], &status) == 0)
			return error_set(err, ERROR_USAGE,
				"'%s' exists already; nothing was written",
				paths[i]);
	return true;
}

static bool write_file(const char *path, size_t i,
	const struct exercise *exercise, struct error *err)
{
	struct text content = {0};
	bool good;

	files[i].put(&content, exercise);
	good = text_check(&content, err) &&
		file_write_atomic(
			path, content.data, content.len, FILE_KEEP, err);
	text_finish(&content);
	return good;
}

/* All or none. */
static bool write_files(const char *paths[N_FILES],
	const struct exercise *exercise, struct error *err)
{
	for (size_t i = 0; i < N_FILES; i++) {
		if (write_file(paths[i], i, exercise, err))
			continue;
		while (i-- > 0)
			unlink(paths[i]);
		return false;
	}
	return true;
}

static bool make_dir(const char *dir, bool *made_out, struct error *err)
{
	struct stat status;

	*made_out = mkdir(dir, 0777) == 0;
	if (*made_out)
		return true;
	if (errno == ENOENT || errno == ENOTDIR)
		return error_set(err, ERROR_USAGE,
			"cannot make the folder '%s': there is none to make it "
			"in",
			dir);
	if (errno != EEXIST) {
		(void)error_set_errno(err, "cannot make the folder '%s'", dir);
		if (err->sys_errno == EACCES || err->sys_errno == EROFS)
			err->kind = ERROR_USAGE;
		return false;
	}
	if (stat(dir, &status) < 0 || !S_ISDIR(status.st_mode))
		return error_set(err, ERROR_USAGE, "'%s' is not a folder", dir);
	return true;
}

static bool report(struct invocation *invocation, const char *paths[N_FILES],
	struct error *err)
{
	const char *words = lookup_words(invocation, err);
	const char *arrow = style_symbol(&invocation->style, SYMBOL_ARROW);
	struct text out = {0};
	bool good;

	if (!words)
		return false;
	for (size_t i = 0; i < N_FILES; i++) {
		text_puts(&out,
			i == 0                    ? "Written: "
				: i + 1 < N_FILES ? ", "
						  : " and ");
		escape_put_line(&out, paths[i], strlen(paths[i]),
			invocation->style.ascii);
	}
	text_puts(&out, ".\n");
	text_printf(&out, "%s fill in solve.c, then: grader grade %s ", arrow,
		words);
	report_put_word(&out, paths[0], invocation->style.ascii);
	text_printf(&out, "\n%s to try it yourself: cc -g ", arrow);
	report_put_word(&out, paths[2], invocation->style.ascii);
	text_putc(&out, ' ');
	report_put_word(&out, paths[0], invocation->style.ascii);
	text_puts(&out, " -lm && ./a.out\n");
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

bool command_start(struct invocation *invocation, struct error *err)
{
	const char *dir =
		invocation->n_arguments > 1 ? invocation->arguments[1] : NULL;
	const char *paths[N_FILES];
	struct exercise exercise;
	bool made = false;

	if (!lookup_exercise(invocation, &exercise, err) ||
		!find_paths(invocation, dir, paths, err) ||
		!check_free(paths, err) || (dir && !make_dir(dir, &made, err)))
		return false;
	if (!file_check_target(paths[0], err) ||
		!write_files(paths, &exercise, err)) {
		if (made)
			rmdir(dir);
		return false;
	}
	return report(invocation, paths, err);
}
