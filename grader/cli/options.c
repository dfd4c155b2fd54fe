/* SPDX-License-Identifier: MIT */
#include "grader/cli/options.h"

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/cli/commands.h"
#include "grader/cli/formats.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
	LONG_ONLY = 256, /* above every letter: options that have none */
	HELP_COLUMN = 34,
};

/* One of some words, by its index; says is what else the error starts with. */
static bool take_word(const char *says, const char *value,
	const char *const words[], int *index_out, struct error *err)
{
	for (int i = 0; words[i]; i++) {
		if (strcmp(words[i], value) == 0) {
			*index_out = i;
			return true;
		}
	}
	return error_set(err, ERROR_USAGE, "%s, not '%.100s'", says, value);
}

static bool take_audience(
	struct options *options, const char *value, struct error *err)
{
	static const char *const words[] = {
		[AUDIENCE_LEARNER] = "learner",
		[AUDIENCE_STAFF] = "staff",
		NULL,
	};
	int index;

	if (!take_word("--audience takes learner or staff", value, words,
		    &index, err))
		return false;
	options->audience = (enum audience)index;
	return true;
}

static bool take_color(
	struct options *options, const char *value, struct error *err)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto",
		[COLOR_ALWAYS] = "always",
		[COLOR_NEVER] = "never",
		NULL,
	};
	int index;

	if (!take_word("--color takes auto, always or never", value, words,
		    &index, err))
		return false;
	options->color = (enum color_choice)index;
	return true;
}

static bool take_seed(
	struct options *options, const char *value, struct error *err)
{
	uint32_t number;
	char *end;

	options->seed_given = true;
	if (strcmp(value, "random") == 0) {
		/* Short enough to be typed in again. */
		if (getrandom(&number, sizeof(number), 0) !=
			(ssize_t)sizeof(number))
			return error_set_errno(err, "cannot draw a seed");
		options->seed = number;
		return true;
	}
	errno = 0;
	options->seed = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
		return error_set(err, ERROR_USAGE,
			"the seed '%s' is neither 'random' nor a number from 0 "
			"to 18446744073709551615",
			value);
	return true;
}

static bool same_file(const char *a, const char *b)
{
	return a == b || (a && b && file_same_place(a, b));
}

/* FORMAT or FORMAT=FILE */
static bool take_report(
	struct options *options, const char *value, struct error *err)
{
	size_t len = strcspn(value, "=");
	struct report_target target = {.format = formats_find(value, len, err)};

	if (!target.format)
		return false;
	if (value[len] == '=' && strcmp(value + len + 1, "-") != 0)
		target.file = value + len + 1;
	if (target.file && !target.file[0])
		return error_set(err, ERROR_USAGE,
			"the report '%s' names no file", value);
	if (options->n_reports == REPORTS_MAX)
		return error_set(err, ERROR_USAGE,
			"more than %d reports are too many", REPORTS_MAX);
	for (size_t i = 0; i < options->n_reports; i++)
		if (same_file(options->reports[i].file, target.file))
			return error_set(err, ERROR_USAGE,
				"two reports cannot both go to %s",
				target.file ? target.file : "standard output");
	options->reports[options->n_reports++] = target;
	return true;
}

#define FLAG(member)                                                           \
	static bool take_##member(                                             \
		struct options *options, const char *value, struct error *err) \
	{                                                                      \
		(void)value;                                                   \
		(void)err;                                                     \
		options->member = true;                                        \
		return true;                                                   \
	}
FLAG(exit_zero)
FLAG(help)
FLAG(json)
FLAG(main)
FLAG(no_cache)
FLAG(quiet)
FLAG(solution)
FLAG(verbose)
#undef FLAG

#define WORD(member)                                                           \
	static bool take_##member(                                             \
		struct options *options, const char *value, struct error *err) \
	{                                                                      \
		(void)err;                                                     \
		options->member = value;                                       \
		return true;                                                   \
	}
WORD(exercises)
WORD(pattern)
WORD(secret)
#undef WORD

/* What is asked for must not get lost: of two only the last would hold, and an
   empty variable of a script's would ask for nothing. */
static bool take_require(
	struct options *options, const char *value, struct error *err)
{
	const size_t len = strlen(value);

	if (options->require)
		return error_set(err, ERROR_USAGE,
			"--require is given twice; one takes several layers, "
			"with commas between them");
	if (len == 0 || value[0] == ',' || value[len - 1] == ',' ||
		strstr(value, ",,"))
		return error_set(err, ERROR_USAGE,
			"--require takes layers with commas between them, not "
			"'%.100s'",
			value);
	options->require = value;
	return true;
}

static const struct {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* NULL: it takes none */
	const char *says;
	bool (*take)(
		struct options *options, const char *value, struct error *err);
} table[N_OPTIONS] = {
	[OPTION_AUDIENCE] = {"audience", 'a', "learner|staff",
		"staff sees the values of hidden cases", take_audience},
	[OPTION_CASE] = {"case", 'c', "PATTERN",
		"only the cases whose name matches; no score then",
		take_pattern},
	[OPTION_COLOR] = {"color", 0, "auto|always|never",
		"auto: on a terminal, unless NO_COLOR is set", take_color},
	[OPTION_EXERCISES] = {"exercises", 'e', "DIR",
		"a folder of exercises, searched before others",
		take_exercises},
	[OPTION_EXIT_ZERO] = {"exit-zero", 0, NULL,
		"exit with 0, not 1, if it does not pass", take_exit_zero},
	[OPTION_HELP] = {"help", 'h', NULL, "this text", take_help},
	[OPTION_JSON] = {"json", 'j', NULL, "for programs", take_json},
	[OPTION_MAIN] = {"main", 0, NULL,
		"write the small case as a main() to run in a debugger",
		take_main},
	[OPTION_NO_CACHE] = {"no-cache", 0, NULL,
		"neither read nor write the cache", take_no_cache},
	[OPTION_QUIET] = {"quiet", 'q', NULL,
		"no report but those asked for with --report", take_quiet},
	[OPTION_REPORT] = {"report", 'r', "FORMAT[=FILE]",
		"text or json, to standard output or a file; repeatable",
		take_report},
	[OPTION_REQUIRE] = {"require", 0, "LAYER,...",
		"refuse to run without these layers, or 'all'", take_require},
	[OPTION_SECRET] = {"secret", 0, "FILE",
		"hidden cases are drawn with what is in it", take_secret},
	[OPTION_SEED] = {"seed", 's', "N|random",
		"of the random cases; default: the exercise's own", take_seed},
	[OPTION_SOLUTION] = {"solution", 0, NULL,
		"show a solution, too: it gives everything away",
		take_solution},
	[OPTION_VERBOSE] = {"verbose", 'v', NULL,
		"every case, and all that was printed", take_verbose},
};

/* What getopt_long() wants to know of a set of options. */
struct getopt_tables {
	struct option longs[N_OPTIONS + 1];
	char letters[2 * N_OPTIONS + 2];
};

static void fill_tables(struct getopt_tables *tables, unsigned int set)
{
	size_t n_longs = 0, n_letters = 0;

	memset(tables, 0, sizeof(*tables));
	tables->letters[n_letters++] = ':'; /* tell missing from unknown */
	for (int id = 0; id < N_OPTIONS; id++) {
		if (!(set & 1u << id))
			continue;
		tables->longs[n_longs++] = (struct option){
			.name = table[id].name,
			.has_arg = table[id].value ? required_argument
						   : no_argument,
			.val = LONG_ONLY + id,
		};
		if (!table[id].letter)
			continue;
		tables->letters[n_letters++] = table[id].letter;
		if (table[id].value)
			tables->letters[n_letters++] = ':';
	}
}

/* From what getopt_long() returned; -1 if it is none. */
static int find_id(int got)
{
	if (got >= LONG_ONLY)
		return got - LONG_ONLY;
	for (int id = 0; id < N_OPTIONS; id++)
		if (table[id].letter == got)
			return id;
	return -1;
}

static bool refuse_unknown(const struct command *command, const char *word,
	unsigned int set, struct error *err)
{
	const char *names[N_OPTIONS];
	char name[64], suggestion[64] = "";
	const char *nearest;
	size_t count = 0;

	for (int id = 0; id < N_OPTIONS; id++)
		if (set & 1u << id)
			names[count++] = table[id].name;
	snprintf(name, sizeof(name), "%.*s",
		(int)strcspn(word + strspn(word, "-"), "="),
		word + strspn(word, "-"));
	nearest = word[1] == '-' ? nearest_name(name, names, count) : NULL;
	if (nearest)
		snprintf(suggestion, sizeof(suggestion),
			"; did you mean '--%s'?", nearest);
	return error_set(err, ERROR_USAGE, "%s has no option '%.100s'%s%s%s",
		command->name, word, suggestion,
		nearest ? "" : "; see grader help ",
		nearest ? "" : command->name);
}

/* What getopt_long() did not like: got is '?' or ':'. */
static bool refuse(const struct command *command, int got, char **argv,
	unsigned int set, struct error *err)
{
	int id = optopt ? find_id(optopt) : -1;
	char word[3] = {'-', (char)optopt, '\0'};

	if (got == ':' && id >= 0)
		return error_set(err, ERROR_USAGE, "option --%s needs %s",
			table[id].name, table[id].value);
	if (id >= 0 && optopt >= LONG_ONLY)
		return error_set(err, ERROR_USAGE, "option --%s takes no value",
			table[id].name);
	return refuse_unknown(
		command, optopt ? word : argv[optind - 1], set, err);
}

static bool check_arguments(
	const struct command *command, int argc, char **argv, struct error *err)
{
	size_t count = (size_t)(argc - optind);

	if (count < command->least)
		return error_set(err, ERROR_USAGE,
			"%s needs %s; see grader help %s", command->name,
			command->arguments, command->name);
	if (count > command->most)
		return error_set(err, ERROR_USAGE,
			"%s has no use for '%.100s'; see grader help %s",
			command->name, argv[optind + (int)command->most],
			command->name);
	return true;
}

bool options_parse(struct invocation *invocation, const struct command *command,
	int argc, char **argv, struct error *err)
{
	unsigned int set = command->options | OPTION(HELP);
	struct getopt_tables tables;
	int got;

	fill_tables(&tables, set);
	opterr = 0;
	optind = 1;
	while ((got = getopt_long(argc, argv, tables.letters, tables.longs,
			NULL)) != -1) {
		if (got == '?' || got == ':')
			return refuse(command, got, argv, set, err);
		if (!table[find_id(got)].take(
			    &invocation->options, optarg, err))
			return false;
	}
	invocation->arguments = argv + optind;
	invocation->n_arguments = (size_t)(argc - optind);
	return invocation->options.help ||
		check_arguments(command, argc, argv, err);
}

void options_put_help(struct text *out, unsigned int set)
{
	for (int id = 0; id < N_OPTIONS; id++) {
		size_t start = out->len;

		if (!(set & 1u << id))
			continue;
		if (table[id].letter)
			text_printf(out, "  -%c, ", table[id].letter);
		else
			text_puts(out, "      ");
		text_printf(out, "--%s", table[id].name);
		if (table[id].value)
			text_printf(out, " %s", table[id].value);
		style_pad(out, start, HELP_COLUMN);
		text_printf(out, "%s\n", table[id].says);
	}
}
