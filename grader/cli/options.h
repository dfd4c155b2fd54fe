/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_OPTIONS_H
#define GRADER_CLI_OPTIONS_H

/*
 * The options of all commands, in one table: parsing and help both read it.
 */

#include "grader/cli/invocation.h"

struct command;
struct text;

enum option_id {
	OPTION_AUDIENCE,
	OPTION_CASE,
	OPTION_COLOR,
	OPTION_EXERCISES,
	OPTION_EXIT_ZERO,
	OPTION_JSON,
	OPTION_MAIN,
	OPTION_NO_CACHE,
	OPTION_QUIET,
	OPTION_REPORT,
	OPTION_REQUIRE,
	OPTION_SECRET,
	OPTION_SEED,
	OPTION_SOLUTION,
	OPTION_VERBOSE,
	OPTION_HELP,
	N_OPTIONS,
};

/* Several of them, as a set. */
#define OPTION(name) (1u << OPTION_##name)

/*
 * Reads what stands behind the command's name; argv[0] is that name.  Sets
 * options, arguments and n_arguments; getopt may reorder argv.
 */
bool options_parse(struct invocation *invocation, const struct command *command,
	int argc, char **argv, struct error *err)
	__attribute__((warn_unused_result));

/* The options of a set, a line or two each. */
void options_put_help(struct text *out, unsigned int set);

#endif
