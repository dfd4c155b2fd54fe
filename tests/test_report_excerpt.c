/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/excerpt.h"
#include "grader/report/style.h"
#include "tests/suites.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A line of source, where its caret is, and what is shown in 60 columns. */
static const struct {
	const char *rule;
	const char *source;
	int column;
	const char *shown;
} lines[] = {
	{"a caret under its byte", "int x = y;", 9,
		"      23 | int x = y;\n"
		"         |         ^\n"},
	{"no caret", "int x;", 0, "      23 | int x;\n"},
	{"a tab reaches to the next eighth column", "\tx\ty", 4,
		"      23 |         x       y\n"
		"         |                 ^\n"},
	{"a caret behind the end", "int x", 6,
		"      23 | int x\n"
		"         |      ^\n"},
	{"a caret far behind the end", "int x", 600,
		"      23 | int x\n"
		"         |      ^\n"},
	{"two bytes, one column", "\xc3\xa9 = 1;", 4,
		"      23 | \xc3\xa9 = 1;\n"
		"         |   ^\n"},
	{"a control character is escaped", "a\033[31m;", 8,
		"      23 | a\\x1b[31m;\n"
		"         |           ^\n"},
	{"line ends are left out", "x;\r\n", 1,
		"      23 | x;\n"
		"         | ^\n"},
	{"a long line is cut behind",
		"0123456789012345678901234567890123456789012345678901234567", 3,
		"      23 | "
		"0123456789012345678901234567890123456789012345678…\n"
		"         |   ^\n"},
	{"and in front, to show what the caret is under",
		"0123456789012345678901234567890123456789012345678901234567"
		"0123456789abcdef",
		72,
		"      23 | …789012345670123456789abcdef\n"
		"         |                          ^\n"},
};

START_TEST(a_line_is_shown_as_it_looks)
{
	const struct style style = {.width = 60};
	const struct excerpt excerpt = {23, lines[_i].source,
		strlen(lines[_i].source), lines[_i].column};
	struct text out = {0};

	excerpt_put(&out, &style, &excerpt);
	ck_assert_msg(strcmp(out.data, lines[_i].shown) == 0,
		"rule: %s\ngot:\n%s", lines[_i].rule, out.data);
	text_finish(&out);
}
END_TEST

static const struct {
	const char *source;
	int line;
	const char *found; /* NULL: there is no such line */
} sources[] = {
	{"a\nb\n", 1, "a"},
	{"a\nb\n", 2, "b"},
	{"a\nb\n", 3, NULL},
	{"a\nb", 2, "b"},
	{"a\n\nb", 2, ""},
	{"", 1, NULL},
	{"a\n", 0, NULL},
	{"a\n", -1, NULL},
};

START_TEST(a_line_is_found_by_its_number)
{
	struct excerpt excerpt = {.line = sources[_i].line};
	bool found = excerpt_find(
		&excerpt, sources[_i].source, strlen(sources[_i].source));

	ck_assert(found == (sources[_i].found != NULL));
	if (!found)
		return;
	ck_assert_uint_eq(excerpt.len, strlen(sources[_i].found));
	ck_assert_mem_eq(excerpt.source, sources[_i].found, excerpt.len);
}
END_TEST

/* In ASCII, what the words of an exercise become. */
static const struct {
	const char *words;
	const char *ascii;
} words[] = {
	{"plain", "plain"},
	{"a → b", "a -> b"},
	{"“it’s” – 3 × 4…", "\"it's\" - 3 x 4..."},
	{"√d ≤ ∞", "sqrt d <= infinity"},
	{"日", "?"},
	{"\033[1m\xff\n", "\\x1b[1m\\xff\\x0a"},
};

START_TEST(words_are_likened_to_ascii)
{
	const struct style style = {.ascii = true};
	struct text out = {0};

	style_put_words(&out, &style, words[_i].words);
	ck_assert_str_eq(out.data, words[_i].ascii);
	text_finish(&out);
}
END_TEST

Suite *report_excerpt_suite(void)
{
	Suite *suite = suite_create("report_excerpt");
	TCase *tcase = tcase_create("excerpt");

	tcase_add_loop_test(
		tcase, a_line_is_shown_as_it_looks, 0, COUNT(lines));
	tcase_add_loop_test(
		tcase, a_line_is_found_by_its_number, 0, COUNT(sources));
	tcase_add_loop_test(tcase, words_are_likened_to_ascii, 0, COUNT(words));
	suite_add_tcase(suite, tcase);
	return suite;
}
