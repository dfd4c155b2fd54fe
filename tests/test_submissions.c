/* SPDX-License-Identifier: MIT */

/*
 * Grades every file of tests/submissions/ with the program itself, under
 * several seeds, and holds the report against the file's first line; the
 * README there says what that may be.
 */

#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/expectation.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const seeds[] = {"1", "2", "77", "20261129", "4294967296"};
enum { N_SEEDS = sizeof(seeds) / sizeof(*seeds) };

static glob_t files;

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	ck_assert_msg(cJSON_IsString(item), "the report has no %s", key);
	return item->valuestring;
}

/* Of a group's cases in a report. */
struct tally {
	size_t cases;
	size_t passed;
};

static struct tally count_group(
	const cJSON *report, const char *group, size_t len)
{
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(report, "cases");
	const cJSON *item;
	struct tally tally = {0};

	cJSON_ArrayForEach(item, cases)
	{
		const char *name = text_of(item, "group");

		if (strlen(name) != len || strncmp(name, group, len) != 0)
			continue;
		tally.cases++;
		tally.passed += strcmp(text_of(item, "verdict"), "PASS") == 0;
	}
	return tally;
}

static void check_groups(const char *file, const char *seed,
	const cJSON *report, const char *groups, bool pass)
{
	while (*groups) {
		size_t len = strcspn(groups, ",");
		struct tally tally = count_group(report, groups, len);

		ck_assert_msg(tally.cases > 0, "%s: there is no group '%.*s'",
			file, (int)len, groups);
		ck_assert_msg((tally.passed == tally.cases) == pass,
			"%s, seed %s: %zu of %zu cases of '%.*s' pass", file,
			seed, tally.passed, tally.cases, (int)len, groups);
		groups += len + (groups[len] == ',');
	}
}

static bool is_in_list(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; *list; list += *list == ',') {
		size_t n = strcspn(list, ",");

		if (n == len && strncmp(list, name, len) == 0)
			return true;
		list += n;
	}
	return false;
}

/* By its own name or another one of those that come to the same. */
static bool is_expected(const cJSON *finding, const char *names)
{
	const cJSON *also, *name;

	if (is_in_list(names, text_of(finding, "mistake")) ||
		is_in_list(names, text_of(finding, "family")))
		return true;
	also = cJSON_GetObjectItemCaseSensitive(finding, "also");
	cJSON_ArrayForEach(name, also)
	{
		if (is_in_list(names, name->valuestring))
			return true;
	}
	return false;
}

static void check_names(const char *file, const char *seed, const cJSON *report,
	const struct expectation *e)
{
	const cJSON *diagnosis =
		cJSON_GetObjectItemCaseSensitive(report, "diagnosis");
	const bool none = strcmp(e->names, "-") == 0 ||
		strcmp(e->verdicts[0], "PASS") == 0;
	const cJSON *finding;

	if (!none && !e->names[0])
		return;
	ck_assert_msg(none == (cJSON_GetArraySize(diagnosis) == 0),
		"%s, seed %s: %d mistakes are named, expected '%s'", file, seed,
		cJSON_GetArraySize(diagnosis), e->names);
	cJSON_ArrayForEach(finding, diagnosis)
	{
		ck_assert_msg(is_expected(finding, e->names),
			"%s, seed %s: the diagnosis is %s, expected %s", file,
			seed, text_of(finding, "mistake"), e->names);
	}
}

static void check_report(const char *file, const char *seed,
	const struct expectation *e, struct command *json)
{
	cJSON *report = cJSON_ParseWithLength(json->out, json->out_len);
	const cJSON *score, *max;
	const char *verdict = e->verdicts[0];
	bool pass = strcmp(verdict, "PASS") == 0;

	ck_assert_msg(
		report != NULL, "%s: %s%s", file, json->out, json->errors);
	ck_assert_msg(strcmp(text_of(report, "verdict"), verdict) == 0,
		"%s, seed %s: expected %s, got %s", file, seed, verdict,
		text_of(report, "verdict"));
	ck_assert_int_eq(json->status, pass ? 0 : 1);
	score = cJSON_GetObjectItemCaseSensitive(report, "score");
	max = cJSON_GetObjectItemCaseSensitive(report, "max_score");
	ck_assert_msg((score->valueint == max->valueint) == pass,
		"%s, seed %s: %d of %d points", file, seed, score->valueint,
		max->valueint);
	check_groups(file, seed, report, e->fails, false);
	check_groups(file, seed, report, e->passes, true);
	check_names(file, seed, report, e);
	cJSON_Delete(report);
}

static struct command_started start_grading(const char *file, const char *seed)
{
	const char *const argv[] = {command_grader(), "grade", "attention",
		file, "--seed", seed, "--report", "json", NULL};

	return command_start(argv, NULL, NULL);
}

static void finish_grading(const char *file, const char *seed,
	const struct expectation *e, const struct command_started *started)
{
	struct command json = command_wait(started);

	check_report(file, seed, e, &json);
	command_finish(&json);
}

static struct command_started start_saying(const char *file)
{
	const char *const argv[] = {command_grader(), "grade", "attention",
		file, "--verbose", NULL};

	return command_start(argv, NULL, NULL);
}

static void finish_saying(const char *file, const struct expectation *e,
	const struct command_started *started)
{
	struct command text = command_wait(started);

	ck_assert_msg(strstr(text.out, e->says) != NULL,
		"%s: the report does not say '%s':\n%s", file, e->says,
		text.out);
	command_finish(&text);
}

/*
 * What comes to no answer comes to none with any numbers, but may take seconds
 * for it.  The sanitizers look at the grader, to which all seeds are one.
 */
static size_t count_seeds(const struct expectation *e)
{
	const char *verdict = e->verdicts[0];

#ifdef __SANITIZE_ADDRESS__
	return 1;
#endif
	return strcmp(verdict, "PASS") == 0 ||
			strcmp(verdict, "WRONG_ANSWER") == 0
		? N_SEEDS
		: 1;
}

START_TEST(a_submission_is_graded_as_its_first_line_says)
{
	const char *file = files.gl_pathv[_i];
	const struct expectation e = expectation_read(file);
	const size_t n = count_seeds(&e);
	struct command_started started[N_SEEDS], saying;

#ifdef __SANITIZE_ADDRESS__
	/* Nor does each file tell them something new. */
	if (_i % 3 != 0)
		return;
#endif
	/* These two compile; the others find it in the cache. */
	started[0] = start_grading(file, seeds[0]);
	if (e.says[0])
		saying = start_saying(file);
	finish_grading(file, seeds[0], &e, &started[0]);
	if (e.says[0])
		finish_saying(file, &e, &saying);
	for (size_t s = 1; s < n; s++)
		started[s] = start_grading(file, seeds[s]);
	for (size_t s = 1; s < n; s++)
		finish_grading(file, seeds[s], &e, &started[s]);
}
END_TEST

Suite *submissions_suite(void)
{
	Suite *suite = suite_create("submissions");
	TCase *tcase = tcase_create("submissions");

	glob("tests/submissions/correct/*.c", 0, NULL, &files);
	glob("tests/submissions/wrong/*.c", GLOB_APPEND, NULL, &files);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase,
		a_submission_is_graded_as_its_first_line_says, 0,
		(int)files.gl_pathc);
	suite_add_tcase(suite, tcase);
	return suite;
}
