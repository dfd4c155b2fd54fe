/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/cli/invocation.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WIDTH_DEFAULT = 80,
	WIDTH_MIN = 20,
	ROWS_DEFAULT = 24,
	ROWS_MIN = 5,
	SIZE_LIMIT = 1000,
};

/* A variable that is set to something. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

/* $name/grader, or $HOME/otherwise/grader; NULL if neither can be told. */
static bool find_home(const char *name, const char *otherwise,
	struct arena *arena, const char **path_out, struct error *err)
{
	const char *base = variable(name);
	const char *home = variable("HOME");

	*path_out = NULL;
	/* The XDG rules: a relative path is to be ignored. */
	if (base && base[0] == '/')
		*path_out = arena_printf(arena, err, "%s/grader", base);
	else if (home && home[0] == '/')
		*path_out = arena_printf(
			arena, err, "%s/%s/grader", home, otherwise);
	else
		return true;
	return *path_out != NULL;
}

/* The first of these that is set decides, as it does for setlocale(). */
static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = variable(names[i]);

		if (value)
			return strcasestr(value, "utf-8") ||
				strcasestr(value, "utf8");
	}
	return false;
}

/* A variable's if it is set to one that makes sense, else the terminal's. */
static int find_size(
	const char *name, unsigned short own, int least, int otherwise)
{
	const char *value = variable(name);
	long size = value ? strtol(value, NULL, 10) : 0;

	if (size < least)
		size = own;
	if (size < least)
		return otherwise;
	return size > SIZE_LIMIT ? SIZE_LIMIT : (int)size;
}

void environment_measure(struct environment *environment)
{
	struct winsize size = {0};

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	environment->width =
		find_size("COLUMNS", size.ws_col, WIDTH_MIN, WIDTH_DEFAULT);
	environment->rows =
		find_size("LINES", size.ws_row, ROWS_MIN, ROWS_DEFAULT);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return path && path[0] == '/' && stat(path, &status) == 0 &&
		S_ISDIR(status.st_mode);
}

bool environment_read(
	struct environment *environment, struct arena *arena, struct error *err)
{
	const char *temp_dir = variable("TMPDIR");
	const char *terminal = variable("TERM");
	const bool dumb = terminal && strcmp(terminal, "dumb") == 0;

	*environment = (struct environment){
		.temp_dir = is_folder(temp_dir) ? temp_dir : "/tmp",
		.exercises = variable("GRADER_EXERCISES"),
		.secret_file = variable("GRADER_SECRET_FILE"),
		.utf8 = is_utf8(),
		.color =
			isatty(STDOUT_FILENO) && !variable("NO_COLOR") && !dumb,
		.fold = variable("COLUMNS") || isatty(STDOUT_FILENO),
		.screen = isatty(STDOUT_FILENO) && !dumb,
	};
	environment_measure(environment);
	return find_home("XDG_CACHE_HOME", ".cache", arena,
		       &environment->cache_home, err) &&
		find_home("XDG_STATE_HOME", ".local/state", arena,
			&environment->state_home, err);
}
