/* SPDX-License-Identifier: MIT */
#include "grader/cli/submission.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "grader/engine/cases_pattern.h"
#include "grader/engine/grade.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { SECRET_BYTES_MAX = 1 << 16 };

/* Where to look for what a shell hands over: <(command), /dev/stdin. */
static bool is_descriptor(const char *file)
{
	return strncmp(file, "/dev/", 5) == 0 ||
		strncmp(file, "/proc/", 6) == 0;
}

static bool refuse(const char *file, int number, struct error *err)
{
	switch (number) {
	case ELOOP:
		return error_set(err, ERROR_USAGE,
			"'%s' is a symbolic link, and none is followed%s", file,
			is_descriptor(file) ? "; - stands for standard input"
					    : "");
	case EISDIR:
		return error_set(err, ERROR_USAGE, "'%s' is a folder", file);
	case ENXIO:
		return error_set(
			err, ERROR_USAGE, "'%s' is not a regular file", file);
	default:
		return error_set(err, ERROR_USAGE, "cannot read '%s': %s", file,
			strerrordesc_np(number));
	}
}

/*
 * A second name may be another's: who may not read a file may well link to it,
 * and what we read is quoted in reports.
 */
static int open_submission(const char *file, struct error *err)
{
	struct stat status;
	int fd = file_open_regular(AT_FDCWD, file, &status);

	if (fd < 0) {
		(void)refuse(file, errno, err);
		return -1;
	}
	if (status.st_nlink <= 1)
		return fd;
	(void)error_set(err, ERROR_USAGE,
		"'%s' has a second name (a hard link); grade a copy of it",
		file);
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
		opened = open_submission(file, err);
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

/*
 * The secret is the user's own: links are followed, and it may come through a
 * pipe, as from <(command).  One that nobody writes to is empty.
 */
static int open_secret(const char *file)
{
	struct stat status = {0};
	int fd = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 &&
		(S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode)) &&
		fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	close(fd);
	errno = S_ISDIR(status.st_mode) ? EISDIR : ENXIO;
	return -1;
}

bool submission_read_secret(struct invocation *invocation,
	const char **secret_out, size_t *len_out, struct error *err)
{
	const char *file = invocation->options.secret
		? invocation->options.secret
		: invocation->environment.secret_file;
	CLEANUP(cleanup_close) int fd = -1;
	CLEANUP(cleanup_free) char *data = NULL;
	size_t len = 0;

	*secret_out = NULL;
	*len_out = 0;
	if (!file)
		return true;
	fd = open_secret(file);
	if (fd < 0) {
		(void)refuse(file, errno, err);
		return error_prefix(err, "the secret");
	}
	if (!file_read_fd(fd, file, SECRET_BYTES_MAX, &data, &len, err)) {
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

bool submission_request(struct invocation *invocation,
	const struct exercise *exercise, struct grade_request *request_out,
	struct error *err)
{
	struct submission submission;
	struct grade_request request;

	if (!submission_read(invocation->arena, invocation->arguments[1],
		    &submission, err))
		return false;
	request = (struct grade_request){
		.exercise = exercise,
		.file = submission.file,
		.source = submission.source,
		.source_len = submission.len,
		.seed = invocation->options.seed_given
			? invocation->options.seed
			: exercise->seed,
		.pattern = invocation->options.pattern,
	};
	if (!submission_read_secret(
		    invocation, &request.secret, &request.secret_len, err) ||
		!cases_check_pattern(
			exercise, request.pattern, invocation->arena, err))
		return false;
	*request_out = request;
	return true;
}
