/* SPDX-License-Identifier: MIT */

/*
 * Golden runs of the whole program.
 *
 * tests/cli/<name>.txt is a transcript: remarks, commands, and what they print.
 *
 *	# A name that is not there is answered with the nearest.
 *	$ grader show scal
 *	! grader: there is no exercise 'scal'; did you mean 'scale'?
 *	= 2
 *
 * "|" is standard output, "!" standard error, "=" an exit status other than 0.
 * The commands of a transcript run in one fresh folder, which holds a copy of
 * tests/cli/exercises and of tests/cli/submissions, with an environment that
 * is always the same.  Times and the folder's name are masked.
 *
 * UPDATE=1 make check T=cli writes down what came out: read the diff.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/golden.h"
#include "tests/support/schema.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	TRANSCRIPT_MAX = 1 << 20,
	TIMEOUT_S = 120,
};

static glob_t transcripts;

static char folder[64];

/* Runs a command of our own that has to work. */
static void shell(const char *script)
{
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct command command = command_run(argv, NULL, NULL);

	ck_assert_msg(command.status == 0, "%s: %s", script, command.errors);
	command_finish(&command);
}

static void make_folder(void)
{
	struct text script = {0};

	strcpy(folder, "/tmp/grader-cli-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	text_printf(&script,
		"cp -R tests/cli/exercises tests/cli/submissions %s\n"
		"mkdir %s/bin %s/home %s/tmp\n"
		"ln -s '%s' %s/bin/grader\n",
		folder, folder, folder, folder, command_grader(), folder);
	shell(script.data);
	text_finish(&script);
}

static void remove_folder(void)
{
	struct text script = {0};

	text_printf(&script, "chmod -R u+w %s; rm -rf %s", folder, folder);
	shell(script.data);
	text_finish(&script);
}

/* What differs from run to run: times, and the folder. */
static size_t put_masked_word(struct text *out, const char *at)
{
	static const char *const times[] = {"\"cpu_us\":", "\"duration_ms\":"};
	size_t len = strlen(folder);

	if (strncmp(at, folder, len) == 0) {
		text_puts(out, "/FOLDER");
		return len;
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		len = strlen(times[i]);
		if (strncmp(at, times[i], len) != 0)
			continue;
		text_puts(out, times[i]);
		len += strspn(at + len, " \t");
		if (!isdigit((unsigned char)at[len]))
			return strlen(times[i]);
		text_puts(out, "\tTIME");
		return len + strspn(at + len, "0123456789");
	}
	text_putc(out, *at);
	return 1;
}

static void put_output(struct text *out, char mark, const char *output)
{
	while (*output) {
		text_printf(out, "%c", mark);
		if (*output != '\n')
			text_putc(out, ' ');
		while (*output && *output != '\n')
			output += put_masked_word(out, output);
		if (*output == '\0')
			text_puts(out, " (no newline)");
		else
			output++;
		text_putc(out, '\n');
	}
}

static const char report_start[] = "{\n\t\"schema\":\t\"grader/report/1\"";

/* All of a JSON report but what is another machine's on another machine. */
static void put_report(struct text *out, const struct command *command)
{
	char *machine = strstr(command->out, "\n\t\"toolchain\":");
	const char *rest = strstr(command->out, "\n\t\"compile\":");

	schema_check_report(command->out, command->out_len);
	ck_assert(machine && rest);
	machine[1] = '\0';
	put_output(out, '|', command->out);
	text_puts(out, "| ... toolchain and sandbox ...\n");
	put_output(out, '|', rest + 1);
}

static void run_line(struct text *out, const char *line)
{
	char path[PATH_MAX], home[PATH_MAX], temp[PATH_MAX];
	const char *const argv[] = {"env", "-i", path, home, temp,
		"LC_ALL=C.UTF-8", "CI=true", "sh", "-c", line, NULL};
	struct command command;

	snprintf(path, sizeof(path), "PATH=%s/bin:%s", folder, getenv("PATH"));
	snprintf(home, sizeof(home), "HOME=%s/home", folder);
	snprintf(temp, sizeof(temp), "TMPDIR=%s/tmp", folder);
	command = command_run(argv, NULL, folder);
	if (strncmp(command.out, report_start, strlen(report_start)) == 0)
		put_report(out, &command);
	else
		put_output(out, '|', command.out);
	put_output(out, '!', command.errors);
	if (command.status != 0)
		text_printf(out, "= %d\n", command.status);
	command_finish(&command);
}

/* The transcript as it should read now: its remarks and commands, and what
   the commands print. */
static void replay(struct text *out, const char *transcript)
{
	while (*transcript) {
		size_t len = strcspn(transcript, "\n");
		char line[4096];

		ck_assert_uint_lt(len, sizeof(line));
		memcpy(line, transcript, len);
		line[len] = '\0';
		if (len == 0 || line[0] == '#' || line[0] == '$')
			text_printf(out, "%s\n", line);
		if (line[0] == '$')
			run_line(out, line + 2);
		transcript += len + (transcript[len] == '\n');
	}
}

START_TEST(a_transcript_reads_as_it_did)
{
	const char *path = transcripts.gl_pathv[_i];
	CLEANUP(cleanup_free) char *expected = NULL;
	CLEANUP(cleanup_text) struct text got = {0};
	struct error err = {0};
	size_t len;

#ifdef __SANITIZE_ADDRESS__
	/* They need more data themselves than that limit allows. */
	if (strcmp(path, "tests/cli/limits_data.txt") == 0)
		return;
#endif
	ck_assert_msg(file_read(path, TRANSCRIPT_MAX, &expected, &len, &err),
		"%s", err.message);
	replay(&got, expected);
	golden_check(path, &got);
}
END_TEST

Suite *cli_suite(void)
{
	Suite *suite = suite_create("cli");
	TCase *tcase = tcase_create("transcripts");

	/* Without forking the list would be read twice. */
	if (transcripts.gl_pathc == 0 &&
		glob("tests/cli/*.txt", 0, NULL, &transcripts) != 0)
		transcripts.gl_pathc = 0;
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_add_loop_test(tcase, a_transcript_reads_as_it_did, 0,
		(int)transcripts.gl_pathc);
	suite_add_tcase(suite, tcase);
	return suite;
}
