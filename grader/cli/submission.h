/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_SUBMISSION_H
#define GRADER_CLI_SUBMISSION_H

/*
 * Reads the file that is to be graded.
 */

#include "grader/cli/invocation.h"

enum { SUBMISSION_BYTES_MAX = 1 << 20 };

struct submission {
	const char *file; /* as it was named */
	const char *source;
	size_t len;
};

struct exercise;
struct grade_request;

/*
 * A regular file of at most 1 MiB, no link followed (the source of a
 * submission is shown in messages, and must be its owner's to show), or
 * standard input for "-".  Whatever is wrong with it is ERROR_USAGE.
 */
bool submission_read(struct arena *arena, const char *file,
	struct submission *submission_out, struct error *err)
	__attribute__((warn_unused_result));

/* What hidden cases are drawn with; *secret_out is NULL if there is none. */
bool submission_read_secret(struct invocation *invocation,
	const char **secret_out, size_t *len_out, struct error *err)
	__attribute__((warn_unused_result));

/* All that a grading of FILE, the command's second argument, is asked with. */
bool submission_request(struct invocation *invocation,
	const struct exercise *exercise, struct grade_request *request_out,
	struct error *err) __attribute__((warn_unused_result));

#endif
