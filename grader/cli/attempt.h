/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_ATTEMPT_H
#define GRADER_CLI_ATTEMPT_H

/*
 * One grading in a process of its own, which can be given up at any time and
 * cannot take the one that waits for it along.
 */

#include "base/error.h"
#include "base/text.h"
#include "grader/cli/invocation.h"

#include <sys/types.h>

struct grade_request;

struct attempt {
	pid_t pid;        /* 0: none is going on */
	int pipe;         /* to be polled for reading while one is; or -1 */
	struct text data; /* what came through it */
};

/* What a grading comes to; the strings are the caller's to free. */
struct attempt_result {
	bool graded;
	struct error error; /* unless graded: why not */
	size_t hint;        /* of a mistake that was found; 0: none was */
	char *brief;        /* report_put_brief() */
	char *failing;      /* report_put_failing() */
};

/*
 * Reads the file anew and grades it.  rows: that the brief report may have; 0:
 * any number.
 */
bool attempt_start(struct attempt *attempt, struct invocation *invocation,
	const struct grade_request *request, size_t rows, struct error *err)
	__attribute__((warn_unused_result));

/* When there is something to read: true once it is done. */
bool attempt_read(struct attempt *attempt);

/* The result of one that is done. */
bool attempt_take(struct attempt *attempt, struct attempt_result *result_out,
	struct error *err) __attribute__((warn_unused_result));
void attempt_result_finish(struct attempt_result *result);

/* Gives up what is going on, if anything is, and waits until nothing of it is
   left. */
void attempt_cancel(struct attempt *attempt);

#endif
