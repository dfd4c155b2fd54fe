/* SPDX-License-Identifier: MIT */
#include "grader/cli/commands.h"

#include "base/error.h"
#include "base/nearest.h"
#include "grader/cli/options.h"

#include <string.h>

const struct command commands[] = {
	{
		.name = "list",
		.arguments = "",
		.summary = "the exercises, one a line",
		.more = "Name, title and number of cases of every exercise "
			"that is found; with\n"
			"--exercises, of those in that folder alone.\n",
		.options = OPTION(EXERCISES) | OPTION(COLOR),
		.run = command_list,
	},
	{
		.name = "show",
		.arguments = "EXERCISE",
		.summary = "the lesson of an exercise",
		.more = "Hints stay closed.  With --solution, a solution "
			"follows the lesson.\n",
		.least = 1,
		.most = 1,
		.options = OPTION(EXERCISES) | OPTION(SOLUTION) | OPTION(COLOR),
		.run = command_show,
	},
	{
		.name = "start",
		.arguments = "EXERCISE [DIR]",
		.summary = "files to start from",
		.more = "Writes solve.c, a function to be filled in; solve.h, "
			"which declares it; and\n"
			"try.c, a main() that calls it with the first example. "
			" Files that exist\n"
			"already are left alone, and then nothing is "
			"written.\n",
		.least = 1,
		.most = 2,
		.options = OPTION(EXERCISES),
		.run = command_start,
	},
	{
		.name = "grade",
		.arguments = "EXERCISE FILE",
		.summary = "grades a solution",
		.more = "FILE is C source, or - for standard input.  It is "
			"compiled and run in a\n"
			"sandbox, on every case of the exercise.\n",
		.least = 2,
		.most = 2,
		.options = OPTION(REPORT) | OPTION(SEED) | OPTION(SECRET) |
			OPTION(CASE) | OPTION(AUDIENCE) | OPTION(REQUIRE) |
			OPTION(COLOR) | OPTION(NO_CACHE) | OPTION(QUIET) |
			OPTION(VERBOSE) | OPTION(EXIT_ZERO) | OPTION(EXERCISES),
		.run = command_grade,
	},
	{
		.name = "watch",
		.arguments = "EXERCISE FILE",
		.summary = "grades at every save",
		.more = "Grades FILE now and whenever it is saved, and shows "
			"what is most useful on one\n"
			"screen.  Keys: h opens the next hint, l lists the "
			"cases that fail, q ends it.\n",
		.least = 2,
		.most = 2,
		.options = OPTION(SEED) | OPTION(SECRET) | OPTION(CASE) |
			OPTION(REQUIRE) | OPTION(COLOR) | OPTION(NO_CACHE) |
			OPTION(EXERCISES),
		.run = command_watch,
	},
	{
		.name = "explain",
		.arguments = "EXERCISE FILE [CASE]",
		.summary = "why a case fails, step by step",
		.more = "Makes the case as small as it can be while it fails "
			"in the same way, and works\n"
			"it step by step.  Without CASE it is the first that "
			"fails.  With --main it is\n"
			"written to try-CASE.c, a main() that calls the "
			"function with it.  No file is\n"
			"overwritten.\n",
		.least = 2,
		.most = 3,
		.options = OPTION(MAIN) | OPTION(SEED) | OPTION(SECRET) |
			OPTION(REQUIRE) | OPTION(COLOR) | OPTION(NO_CACHE) |
			OPTION(EXERCISES),
		.run = command_explain,
	},
	{
		.name = "hint",
		.arguments = "EXERCISE [N]",
		.summary = "the next hint, or all up to hint N",
		.more = "Hints give away a little more each.  Which of them "
			"were opened is remembered.\n",
		.least = 1,
		.most = 2,
		.options = OPTION(EXERCISES) | OPTION(COLOR),
		.run = command_hint,
	},
	{
		.name = "cases",
		.arguments = "EXERCISE [PATTERN]",
		.summary = "the cases, with expected values",
		.more = "Inputs, expected outputs and tolerances of the cases "
			"whose name matches the\n"
			"pattern, or of all.\n",
		.least = 1,
		.most = 2,
		.options = OPTION(JSON) | OPTION(SEED) | OPTION(SECRET) |
			OPTION(AUDIENCE) | OPTION(NO_CACHE) | OPTION(EXERCISES),
		.run = command_cases,
	},
	{
		.name = "doctor",
		.arguments = "",
		.summary = "whether grading works here",
		.more = "Checks the compiler, the C library and every layer of "
			"the sandbox, then\n"
			"compiles and runs something small.  The exit status "
			"is 0 only if that worked.\n",
		.options = OPTION(JSON) | OPTION(COLOR),
		.run = command_doctor,
	},
	{
		.name = "help",
		.arguments = "[COMMAND]",
		.summary = "this list, or more about a command",
		.more = "",
		.most = 1,
		.run = command_help,
	},
};

const size_t n_commands = sizeof(commands) / sizeof(*commands);

const struct command *commands_find(const char *name, struct error *err)
{
	const char *names[sizeof(commands) / sizeof(*commands)];
	const char *nearest;

	for (size_t i = 0; i < n_commands; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
		names[i] = commands[i].name;
	}
	nearest = nearest_name(name, names, n_commands);
	(void)error_set(err, ERROR_USAGE, "there is no command '%.100s'%s%s%s",
		name, nearest ? "; did you mean '" : "; try grader help",
		nearest ? nearest : "", nearest ? "'?" : "");
	return NULL;
}
