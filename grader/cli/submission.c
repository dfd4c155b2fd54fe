/* SPDX-License-Identifier: MIT */
#include "grader/cli/submission.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { SECRET_BYTES_MAX = 1 << 16 };

/* O_NONBLOCK: a FIFO without a writer must not hang us. */
static int open_regular(const char *file, struct error *err)
{
	struct stat status;
	int fd = open(file,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && errno == ELOOP) {
		(void)error_set(err, ERROR_USAGE,
			"'%s' is a symbolic link, and none is followed", file);
		return -1;
	}
	if (fd < 0 || fstat(fd, &status) < 0) {
		(void)error_set(err, ERROR_USAGE, "cannot read '%s': %s", file,
			strerrordesc_np(errno));
	} else if (S_ISDIR(status.st_mode)) {
		(void)error_set(err, ERROR_USAGE, "'%s' is a folder", file);
	} else if (!S_ISREG(status.st_mode)) {
		(void)error_set(
			err, ERROR_USAGE, "'%s' is not a regular file", file);
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

bool submission_read(struct arena *arena, const char *file,
	struct submission *submission_out, struct error *err)
{
	bool standard = strcmp(file, "-") == 0;
	CLEANUP(cleanup_close) int opened = -1;
	CLEANUP(cleanup_free) char *data = NULL;
	const char *copy;
	size_t len;

	if (!standard) {
		opened = open_regular(file, err);
		if (opened < 0)
			return false;
	}
	if (!file_read_fd(standard ? STDIN_FILENO : opened,
		    standard ? "standard input" : file, SUBMISSION_BYTES_MAX,
		    &data, &len, err)) {
		/* Whoever named the file has to act, whatever it is. */
		err->kind = ERROR_USAGE;
		return false;
	}
	copy = arena_copy(arena, data, len, err);
	if (!copy)
		return false;
	*submission_out = (struct submission){file, copy, len};
	return true;
}

bool submission_read_secret(struct invocation *invocation,
	const char **secret_out, size_t *len_out, struct error *err)
{
	const char *file = invocation->options.secret
		? invocation->options.secret
		: invocation->environment.secret_file;
	CLEANUP(cleanup_free) char *data = NULL;
	size_t len = 0;

	*secret_out = NULL;
	*len_out = 0;
	if (!file)
		return true;
	if (!file_read(file, SECRET_BYTES_MAX, &data, &len, err)) {
		err->kind = ERROR_USAGE;
		return error_prefix(err, "the secret");
	}
	if (len == 0)
		return error_set(err, ERROR_USAGE,
			"the secret file '%s' is empty", file);
	*secret_out = arena_copy(invocation->arena, data, len, err);
	*len_out = len;
	return *secret_out != NULL;
}
