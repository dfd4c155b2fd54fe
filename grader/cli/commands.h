/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_COMMANDS_H
#define GRADER_CLI_COMMANDS_H

/*
 * The table of commands.
 */

#include "grader/cli/invocation.h"

struct command {
	const char *name;
	const char *arguments; /* "EXERCISE FILE" */
	const char *summary;   /* a line */
	const char *more;      /* lines of at most 78 columns */
	size_t least;          /* arguments */
	size_t most;
	unsigned int options; /* a set: options.h */
	command_run *run;
};

extern const struct command commands[];
extern const size_t n_commands;

/* An error names the nearest command. */
const struct command *commands_find(const char *name, struct error *err)
	__attribute__((warn_unused_result));

#endif
