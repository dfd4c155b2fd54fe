/* SPDX-License-Identifier: MIT */

/*
 * The grader's command line.  Follow a submission through the files:
 *
 *   grader/engine/exercise.[ch]  what is asked: reads exercises/<name>/
 *   grader/engine/cases.[ch]     what is fed in and what should come out
 *   grader/engine/compile.[ch]   the submission becomes a program, in a jail
 *   grader/engine/run.[ch]       it is called on every case, in another jail
 *   grader/engine/compare.[ch]   its outputs against the expected ones
 *   grader/engine/verdict.[ch]   what that makes of a case and of the whole
 *   grader/engine/slips.[ch]     what a failing one does wrong with memory
 *   grader/engine/grade.[ch]     all of the above, in order: a grade
 *   grader/report/               the grade for people and for programs
 *   grader/cli/                  one file per command
 *
 * Only this folder prints to the standard streams, reads the environment or
 * decides the exit status.
 *
 *   main.c         which command, and the exit status
 *   commands.c     the table of commands
 *   options.c      the table of options
 *   environment.c  variables, terminal, locale
 *   output.c       the standard streams
 *   lookup.c       which folder an EXERCISE is
 *   saves.c, terminal.c, attempt.c   what watch waits for, and what it starts
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/output.h"

#include <string.h>

static enum status status_of(enum error_kind kind)
{
	static const enum status statuses[] = {
		[ERROR_NONE] = STATUS_SYSTEM,
		[ERROR_USAGE] = STATUS_USAGE,
		[ERROR_EXERCISE] = STATUS_EXERCISE,
		[ERROR_SYSTEM] = STATUS_SYSTEM,
	};

	return statuses[kind];
}

static bool put_version(struct error *err)
{
	struct text out = {0};
	bool good;

	text_puts(&out, "grader " GRADER_VERSION "\n");
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static void choose_style(struct invocation *invocation)
{
	const struct environment *environment = &invocation->environment;
	enum color_choice color = invocation->options.color;

	invocation->style = (struct style){
		.ascii = !environment->utf8,
		.color = color == COLOR_ALWAYS ||
			(color == COLOR_AUTO && environment->color),
		.fold = environment->fold,
		.width = environment->width,
	};
}

/* argv[0] is the name of the command. */
static bool run_command(
	struct invocation *invocation, int argc, char **argv, struct error *err)
{
	const struct command *command = commands_find(argv[0], err);

	if (!command || !options_parse(invocation, command, argc, argv, err))
		return false;
	choose_style(invocation);
	invocation->command = command;
	if (invocation->options.help)
		return command_help(invocation, err);
	return command->run(invocation, err);
}

static bool run(
	struct invocation *invocation, int argc, char **argv, struct error *err)
{
	static char help[] = "help";
	char *just_help[] = {help, NULL};

	invocation->arena = arena_create(err);
	if (!invocation->arena ||
		!environment_read(
			&invocation->environment, invocation->arena, err))
		return false;
	output_set_ascii(!invocation->environment.utf8);
	if (argc < 2)
		return error_set(err, ERROR_USAGE,
			"which command? grader help lists them");
	if (strcmp(argv[1], "--version") == 0)
		return put_version(err);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return run_command(invocation, 1, just_help, err);
	if (argv[1][0] == '-')
		return error_set(err, ERROR_USAGE,
			"options stand behind the command: grader COMMAND "
			"%.100s",
			argv[1]);
	return run_command(invocation, argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
	struct invocation invocation = {0};
	struct error err = {0};
	enum status status;

	output_init();
	if (run(&invocation, argc, argv, &err)) {
		status = invocation.status;
	} else {
		output_complain(err.message);
		status = status_of(err.kind);
	}
	arena_destroy(invocation.arena);
	return (int)status;
}
