/* SPDX-License-Identifier: MIT */

/*
 * The program as it is installed, beside its exercises: a submission that knows
 * where their solutions lie gains nothing by it.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

enum { FILE_BYTES_MAX = 1 << 20, LINE_BYTES_MIN = 20, TIMEOUT_S = 120 };

static struct folder folder;
static char grader[PATH_MAX], exercises[PATH_MAX];
static char home[96], places[PATH_MAX + 32];
static const char *const environment[] = {home, places, NULL};

static void install(void)
{
	char destination[96];
	const char *const argv[] = {"make", "-s", "install", destination, NULL};
	struct command command;

	folder_make(&folder);
	snprintf(destination, sizeof(destination), "DESTDIR=%s", folder.path);
	command = command_run(argv, NULL, NULL);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
	snprintf(
		grader, sizeof(grader), "%s/usr/local/bin/grader", folder.path);
	snprintf(exercises, sizeof(exercises),
		"%s/usr/local/share/grader/exercises", folder.path);
	snprintf(home, sizeof(home), "HOME=%s", folder.path);
	snprintf(places, sizeof(places), "GRADER_EXERCISES=%s", exercises);
}

static void remove_installed(void)
{
	folder_remove(&folder);
}

#define PROTOTYPE                                                              \
	"void solve(size_t Tq, size_t Tk, size_t d, size_t d_v,\n"             \
	"\tconst double Q[Tq][d], const double K[Tk][d],\n"                    \
	"\tconst double V[Tk][d_v], bool causal, double output[Tq][d_v])\n"
#define NOTHING PROTOTYPE "{\n\toutput[0][0] = stolen[0];\n}\n"

/* "P" stands for the path of a file of the exercise's. */
static const char *const attacks[] = {
	"#include \"P\"\n",
	"#include <P>\n",
	"#include_next \"P\"\n",
	"#import \"P\"\n",
	"#define FILE \"P\"\n#include FILE\n",
	"#include \"../../../../../../../../../../..P\"\n",
	"#include \"/proc/self/rootP\"\n",
	"#include \"/proc/self/cwd/../..P\"\n",
	"#include \"/proc/1/rootP\"\n",
	"#pragma GCC pch_preprocess \"P\"\n",
	"#pragma GCC dependency \"P\"\n" PROTOTYPE "{\n}\n",
	"_Pragma(\"GCC dependency \\\"P\\\"\")\n" PROTOTYPE "{\n}\n",
	"#if __has_include(\"P\") || __has_include(<P>)\n#error "
	"seen\n#endif\n" PROTOTYPE "{\n}\n",
	"#if __has_include_next(\"P\")\n#error seen\n#endif\n" PROTOTYPE
	"{\n}\n",
	"#line 1 \"P\"\nint x = y;\n",
	"# 1 \"P\" 1\n\n\n\n\n\n\n\n\n\n\nint x = y;\n",
	"asm(\".include \\\"P\\\"\");\n" PROTOTYPE "{\n}\n",
	"asm(\".globl stolen\\nstolen: .incbin \\\"P\\\"\");\n"
	"extern const char stolen[];\n" NOTHING,
	"asm(\".globl stolen\\nstolen: .incbin \\\"P\\\", 0, 8\");\n"
	"extern const char stolen[];\n" NOTHING,
	"asm(\".file 1 \\\"P\\\"\\n.loc 1 10\");\n" PROTOTYPE
	"{\n\t*(volatile int *)0 = y;\n}\n",
	"asm(\".linefile 5 \\\"P\\\"\\nnonsense\");\n" PROTOTYPE "{\n}\n",
	/* By name, should one of the folders searched have it. */
	"#include \"solution.c\"\n",
	"#include \"attention/solution.c\"\n",
	"#include <grader/exercises/attention/solution.c>\n",
};

static const char *const files[] = {"solution.c", "reference.c", "generators.c",
	"exercise.json", "lesson.md"};

static void put_attack(struct text *out, const char *attack, const char *path)
{
	for (; *attack; attack++) {
		bool is_place = attack[0] == 'P' && attack[1] != 'R' &&
			attack[1] != 'r' && attack[1] != 'a';

		if (is_place)
			text_puts(out, path);
		else
			text_putc(out, *attack);
	}
}

static struct command grade(const char *attack, const char *path, bool json)
{
	const char *const argv[] = {grader, "grade", "attention", "solve.c",
		"-v", "-r", json ? "json" : "text", NULL};
	CLEANUP(cleanup_text) struct text source = {0};
	struct error err;
	char name[96];

	put_attack(&source, attack, path);
	snprintf(name, sizeof(name), "%s/solve.c", folder.path);
	ck_assert_msg(file_write_atomic(name, source.data, source.len,
			      FILE_REPLACE, &err),
		"%s", err.message);
	return command_run(argv, environment, folder.path);
}

/* No line of the file that is long enough to be its own. */
static void check_hidden(const char *file, const char *path, const char *output)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err;
	size_t len, n = 0;
	char *rest;

	ck_assert_msg(file_read(path, FILE_BYTES_MAX, &data, &len, &err), "%s",
		err.message);
	rest = data;
	for (char *line; (line = strsep(&rest, "\n"));) {
		line += strspn(line, "\t ");
		/* The prototype is the learner's as well. */
		if (strlen(line) < LINE_BYTES_MIN || strstr(line, "const ") ||
			strstr(line, "size_t ") || strstr(line, "[Tq]"))
			continue;
		n++;
		ck_assert_msg(strstr(output, line) == NULL,
			"%s shows '%s':\n%.2000s", file, line, output);
	}
	ck_assert_uint_gt(n, 3);
}

static const char *verdict_in(cJSON *report)
{
	const cJSON *verdict =
		cJSON_GetObjectItemCaseSensitive(report, "verdict");

	ck_assert(cJSON_IsString(verdict));
	return verdict->valuestring;
}

START_TEST(a_submission_gains_nothing_from_installed_exercises)
{
	for (int f = 0; f < COUNT(files); f++) {
		char path[PATH_MAX + 64];
		struct command command;
		cJSON *report;

		snprintf(path, sizeof(path), "%s/attention/%s", exercises,
			files[f]);
		command = grade(attacks[_i], path, false);
		ck_assert_msg(command.status == 1, "%s: %.2000s%.1000s",
			files[f], command.out, command.errors);
		/* The others have words that a report shows in any case. */
		if (strstr(files[f], ".c"))
			check_hidden(files[f], path, command.out);
		ck_assert_msg(
			!strstr(command.out, "#error seen"), "%s", command.out);
		command_finish(&command);
		command = grade(attacks[_i], path, true);
		report = cJSON_Parse(command.out);
		ck_assert_ptr_nonnull(report);
		ck_assert_str_ne(verdict_in(report), "PASS");
		cJSON_Delete(report);
		command_finish(&command);
		/* Without a place for the path all would be the same. */
		if (!strstr(attacks[_i], "P\"") && !strstr(attacks[_i], "P>") &&
			!strstr(attacks[_i], "P\\"))
			break;
	}
}
END_TEST

static bool has_layer(const char *name)
{
	const char *const argv[] = {grader, "doctor", "--json", NULL};
	struct command command = command_run(argv, environment, NULL);
	cJSON *doctor = cJSON_Parse(command.out);
	const cJSON *check;
	bool found = false;

	cJSON_ArrayForEach(
		check, cJSON_GetObjectItemCaseSensitive(doctor, "checks"))
	{
		found |= strcmp(cJSON_GetObjectItem(check, "name")->valuestring,
				 name) == 0 &&
			strcmp(cJSON_GetObjectItem(check, "state")->valuestring,
				"ok") == 0;
	}
	cJSON_Delete(doctor);
	command_finish(&command);
	return found;
}

/* With one name in the place of the other. */
static void rename_in(char *output, const char *from, const char *to)
{
	ck_assert_uint_eq(strlen(from), strlen(to));
	for (char *at = output; (at = strstr(at, from));)
		memcpy(at, to, strlen(to));
}

START_TEST(a_file_that_is_there_looks_like_one_that_is_not)
{
	char path[PATH_MAX + 64];
	struct command there, missing;

	/* Without it "Permission denied" tells; doctor says so. */
	if (!has_layer("compiler namespaces"))
		return;
	snprintf(path, sizeof(path), "%s/attention/solution.c", exercises);
	there = grade(attacks[_i], path, false);
	snprintf(path, sizeof(path), "%s/attention/solutiom.c", exercises);
	missing = grade(attacks[_i], path, false);
	rename_in(missing.out, "solutiom.c", "solution.c");
	ck_assert_str_eq(there.out, missing.out);
	ck_assert_int_eq(there.status, missing.status);
	command_finish(&there);
	command_finish(&missing);
}
END_TEST

/* So that the tests above do not pass for another reason. */
START_TEST(the_installed_program_grades_with_the_installed_exercises)
{
	char solution[PATH_MAX + 64];
	const char *const argv[] = {
		grader, "grade", "attention", solution, "-q", NULL};
	struct command command;

	snprintf(solution, sizeof(solution), "%s/attention/solution.c",
		exercises);
	command = command_run(argv, environment, folder.path);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
}
END_TEST

Suite *install_suite(void)
{
	Suite *suite = suite_create("install");
	TCase *tcase = tcase_create("install");

	tcase_add_checked_fixture(tcase, install, remove_installed);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase,
		the_installed_program_grades_with_the_installed_exercises);
	tcase_add_loop_test(tcase,
		a_submission_gains_nothing_from_installed_exercises, 0,
		COUNT(attacks));
	tcase_add_loop_test(tcase,
		a_file_that_is_there_looks_like_one_that_is_not, 0,
		COUNT(attacks));
	suite_add_tcase(suite, tcase);
	return suite;
}
