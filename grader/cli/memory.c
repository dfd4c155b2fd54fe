/* SPDX-License-Identifier: MIT */
#include "grader/cli/memory.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "grader/engine/exercise.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_BYTES_MAX = 32 };

static const char *find_folder(
	const struct invocation *invocation, struct error *err)
{
	const char *home = invocation->environment.state_home;

	if (home)
		return arena_printf(invocation->arena, err, "%s/hints", home);
	(void)error_set(err, ERROR_SYSTEM,
		"neither $XDG_STATE_HOME nor $HOME is a folder");
	return NULL;
}

static const char *find_file(const struct invocation *invocation,
	const struct exercise *exercise, struct error *err)
{
	const char *folder = find_folder(invocation, err);

	if (!folder)
		return NULL;
	return arena_printf(
		invocation->arena, err, "%s/%s", folder, exercise->name);
}

size_t memory_hints_opened(
	const struct invocation *invocation, const struct exercise *exercise)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error ignored;
	const char *file = find_file(invocation, exercise, &ignored);
	CLEANUP(cleanup_close) int fd = -1;
	struct stat status;
	unsigned long count;
	size_t len;

	if (file)
		fd = file_open_regular(AT_FDCWD, file, &status);
	if (fd < 0 ||
		!file_read_fd(
			fd, file, FILE_BYTES_MAX, &data, &len, &ignored) ||
		data[0] < '0' || data[0] > '9')
		return 0;
	count = strtoul(data, NULL, 10);
	return count < exercise->n_hints ? count : exercise->n_hints;
}

bool memory_open_hints(const struct invocation *invocation,
	const struct exercise *exercise, size_t count, struct error *err)
{
	const char *folder = find_folder(invocation, err);
	const char *file = find_file(invocation, exercise, err);
	char data[FILE_BYTES_MAX];

	if (!folder || !file)
		return false;
	if (!file_make_folders(folder))
		return error_set_errno(
			err, "cannot make the folder '%s'", folder);
	snprintf(data, sizeof(data), "%zu\n", count);
	return file_write_atomic(file, data, strlen(data), FILE_REPLACE, err);
}
