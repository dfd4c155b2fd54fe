/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/output.h"

enum { SUMMARY_COLUMN = 32 };

static const char exit_statuses[] =
	"Exit status: 0 passed, 1 graded and not passed, 2 wrong use of the "
	"command line,\n"
	"3 the exercise is broken, 4 the grader could not do its work.\n";

static void put_overview(struct text *out)
{
	text_puts(out,
		"usage: grader COMMAND [OPTIONS] ...\n"
		"\n"
		"Grades exercises in C: compiles and runs a solution in a "
		"sandbox, and says what\n"
		"is right, what is wrong and why.\n"
		"\n");
	for (size_t i = 0; i < n_commands; i++) {
		size_t start = out->len;

		text_printf(out, "  %s %s", commands[i].name,
			commands[i].arguments);
		style_pad(out, start, SUMMARY_COLUMN);
		text_printf(out, "%s\n", commands[i].summary);
	}
	text_printf(out,
		"  --version                     which grader this is\n"
		"\n"
		"grader help COMMAND says more, man grader everything.\n"
		"\n"
		"%s",
		exit_statuses);
}

static void put_command(struct text *out, const struct command *command)
{
	text_printf(out, "usage: grader %s", command->name);
	if (command->arguments[0])
		text_printf(out, " %s", command->arguments);
	if (command->options)
		text_puts(out, " [OPTIONS]");
	text_printf(out, "\n\n%s", command->more);
	if (command->options & OPTION(EXERCISES) && command->least > 0)
		text_puts(out,
			"EXERCISE is a folder, if it has a slash, or a name "
			"that is looked up in\n"
			"--exercises, $GRADER_EXERCISES, here, ./exercises and"
			"\n" EXERCISES_DIR ".\n");
	if (command->more[0])
		text_putc(out, '\n');
	options_put_help(out, command->options | OPTION(HELP));
}

bool command_help(struct invocation *invocation, struct error *err)
{
	const struct command *command = NULL;
	struct text out = {0};
	bool good;

	if (invocation->options.help) {
		command = invocation->command;
	} else if (invocation->n_arguments > 0) {
		command = commands_find(invocation->arguments[0], err);
		if (!command)
			return false;
	}
	if (command)
		put_command(&out, command);
	else
		put_overview(&out);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}
