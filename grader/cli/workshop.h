/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_WORKSHOP_H
#define GRADER_CLI_WORKSHOP_H

/*
 * The compiler, the jails and the cache, found and opened for one command.
 */

#include "grader/cli/invocation.h"
#include "grader/engine/tools.h"

/*
 * From here on, SIGINT, SIGTERM and SIGHUP stop the work at hand, so that work
 * folders are removed; workshop_close() then ends the program by that signal.
 */
bool workshop_open(struct invocation *invocation, struct tools *tools_out,
	struct error *err) __attribute__((warn_unused_result));
void workshop_close(struct tools *tools);

/* An error names the first of --require's layers that is missing. */
bool workshop_check_required(const struct invocation *invocation,
	const struct tools *tools, struct error *err)
	__attribute__((warn_unused_result));

/* The folder of the cache, made if need be; NULL, and why in a few words, if
   there is none that is ours alone. */
const char *workshop_find_cache(
	const struct invocation *invocation, const char **reason_out);

#endif
