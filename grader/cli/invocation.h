/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_INVOCATION_H
#define GRADER_CLI_INVOCATION_H

/*
 * One call of the program: what was asked for, and where it runs.
 */

#include "grader/engine/grade.h"
#include "grader/report/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

#define GRADER_VERSION "0.1.0"

/* Where "make install" puts exercises; the Makefile says it. */
#ifndef EXERCISES_DIR
#define EXERCISES_DIR "/usr/local/share/grader/exercises"
#endif

/* The exit status: a contract with the scripts that call us. */
enum status {
	STATUS_PASSED = 0,
	STATUS_NOT_PASSED = 1,
	STATUS_USAGE = 2,
	STATUS_EXERCISE = 3,
	STATUS_SYSTEM = 4,
};

/* What the environment says.  Nothing else in the program reads it. */
struct environment {
	const char *cache_home; /* "/home/ann/.cache/grader"; NULL: none */
	const char *state_home; /* "/home/ann/.local/state/grader"; or NULL */
	const char *temp_dir;
	const char *exercises;   /* $GRADER_EXERCISES, or NULL */
	const char *secret_file; /* $GRADER_SECRET_FILE, or NULL */
	bool utf8;
	bool color; /* a terminal, and NO_COLOR does not forbid it */
	bool fold;  /* width is that of a screen, or was asked for */
	int width;
	bool screen; /* a terminal on which the cursor can be moved */
	int rows;    /* of it */
};

/* The size of the screen, which may change. */
void environment_measure(struct environment *environment);

bool environment_read(struct environment *environment, struct arena *arena,
	struct error *err) __attribute__((warn_unused_result));

enum { REPORTS_MAX = 16 };

struct report_target {
	const struct report_format *format;
	const char *file; /* NULL: standard output */
};

enum color_choice {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* The options of all commands; each command takes some of them. */
struct options {
	bool help;
	bool json;
	bool main;
	bool solution;
	bool no_cache;
	bool quiet;
	bool verbose;
	bool exit_zero;
	const char *exercises; /* a folder, or NULL */
	const char *secret;    /* a file, or NULL */
	const char *pattern;   /* of cases, or NULL */
	const char *require;   /* layers, or NULL */
	enum audience audience;
	enum color_choice color;
	bool seed_given;
	uint64_t seed;
	struct report_target reports[REPORTS_MAX];
	size_t n_reports;
};

struct invocation {
	struct arena *arena;
	struct environment environment;
	struct options options;
	struct style style;
	const struct command *command;
	char *const *arguments; /* behind the command, without options */
	size_t n_arguments;
	enum status status; /* of a command that could do its work */
};

/*
 * A command's function.  False, and err set, when it could not do its work;
 * main() then says why and derives the exit status from the error's kind.
 */
typedef bool command_run(struct invocation *invocation, struct error *err);

command_run command_cases, command_doctor, command_explain, command_grade,
	command_hint, command_list, command_show, command_start, command_watch;
/* Also what --help of any other command does. */
command_run command_help;

#endif
