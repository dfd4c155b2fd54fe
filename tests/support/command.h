/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_COMMAND_H
#define TESTS_SUPPORT_COMMAND_H

/*
 * Runs a program and keeps what it printed.  Whatever cannot be done fails the
 * test that asked for it.
 */

#include <stddef.h>

struct command {
	int status; /* exit status, or 128 + the signal */
	char *out;  /* NUL-terminated; command_finish() frees both */
	size_t out_len;
	char *errors;
	size_t errors_len;
};

/* argv[0] is a path or a name in PATH; env is added to the environment as
   "NAME=value" and may be NULL, as may be dir, the folder to run in. */
struct command command_run(
	const char *const argv[], const char *const env[], const char *dir);

/* The same in two steps, for several at once. */
struct command_started {
	int pid;
	int out;
	int errors;
};
struct command_started command_start(
	const char *const argv[], const char *const env[], const char *dir);
struct command command_wait(const struct command_started *started);

void command_finish(struct command *command);

/* The program under test: $GRADER, as an absolute path. */
const char *command_grader(void);

#endif
