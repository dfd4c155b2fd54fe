/* SPDX-License-Identifier: MIT */

/*
 * Feeds the harnesses of tests/fuzz/ all of their corpora: what once broke a
 * promise of ours stays kept.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "grader/report/style.h"
#include "tests/fuzz/fuzz.h"
#include "tests/suites.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_BYTES_MAX = 1 << 20 };

static const struct {
	const char *name;
	int (*feed)(const unsigned char *data, size_t size);
} harnesses[] = {
#define ROW(name) {#name, fuzz_##name},
	FUZZ_EACH(ROW)
#undef ROW
};

#define N_HARNESSES ((int)(sizeof(harnesses) / sizeof(*harnesses)))

/* Each in a process of its own, so that the file can be named. */
static void feed(size_t harness, const char *path)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err = {0};
	size_t len;
	int status;
	pid_t pid;

	ck_assert_msg(file_read(path, INPUT_BYTES_MAX, &data, &len, &err), "%s",
		err.message);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		harnesses[harness].feed((const unsigned char *)data, len);
		free(data);
		exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(status == 0, "fuzz_%s breaks on %s",
		harnesses[harness].name, path);
}

static size_t feed_all(size_t harness, const char *pattern)
{
	size_t count;
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		feed(harness, found.gl_pathv[i]);
	count = found.gl_pathc;
	globfree(&found);
	return count;
}

START_TEST(a_harness_bears_all_of_its_corpus)
{
	char pattern[128];

	snprintf(pattern, sizeof(pattern), "tests/fuzz/corpus/%s/*",
		harnesses[_i].name);
	ck_assert_uint_gt(feed_all((size_t)_i, pattern), 1);
	feed((size_t)_i, "/dev/null");
}
END_TEST

START_TEST(the_loader_bears_the_exercises_that_there_are)
{
	for (size_t h = 0; h < N_HARNESSES; h++) {
		if (strcmp(harnesses[h].name, "exercise") != 0)
			continue;
		feed_all(h, "exercises/*/exercise.json");
		feed_all(h, "tests/exercises/*/exercise.json");
	}
}
END_TEST

/* A harness is worth what it asserts: of these it must let none pass. */
static const char *const harmful[] = {
	"\x1b[31m",         /* not style.c's, for there are no colours */
	"a\x07",            /* bell */
	"\r",               /* to the line's start */
	"\x7f",             /* DEL */
	"\xc2\x9b",         /* CSI, a C1 control */
	"\xd8\x9c",         /* U+061C */
	"\xe2\x80\x8f",     /* U+200F */
	"\xe2\x80\xaa",     /* U+202A */
	"\xe2\x80\xae",     /* U+202E */
	"\xe2\x81\xa6",     /* U+2066 */
	"\xe2\x81\xa9",     /* U+2069 */
	"\xff",             /* no UTF-8 */
	"\xc0\xaf",         /* overlong */
	"\xed\xa0\x80",     /* a surrogate */
	"\xf4\x90\x80\x80", /* past Unicode */
	"\xe2\x80",         /* cut short */
};

START_TEST(a_harmful_text_ends_a_harness)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	fuzz_check_harmless(harmful[_i], strlen(harmful[_i]), NULL);
}
END_TEST

START_TEST(a_harmless_text_does_not)
{
	static const char text[] =
		"caf\xc3\xa9 \xe2\x86\x92\n\t\xf0\x9f\x98\x80";
	const struct style color = {.color = true};

	fuzz_check_harmless(text, strlen(text), NULL);
	fuzz_check_harmless("\x1b[31mred\x1b[0m", 12, &color);
}
END_TEST

Suite *fuzz_suite(void)
{
	Suite *suite = suite_create("fuzz");
	TCase *tcase = tcase_create("corpora");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(
		tcase, a_harness_bears_all_of_its_corpus, 0, N_HARNESSES);
	tcase_add_test(tcase, the_loader_bears_the_exercises_that_there_are);
	tcase_add_loop_test_raise_signal(tcase, a_harmful_text_ends_a_harness,
		SIGABRT, 0, sizeof(harmful) / sizeof(*harmful));
	tcase_add_test(tcase, a_harmless_text_does_not);
	suite_add_tcase(suite, tcase);
	return suite;
}
