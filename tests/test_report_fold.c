/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/fold.h"
#include "grader/report/style.h"
#include "tests/suites.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct {
	const char *before;
	const char *words;
	const char *after; /* 12 columns wide */
} rows[] = {
	{"", "one two four", "one two four"},
	{"", "one two three", "one two\n  three"},
	{"a line\nand: ", "one two", "a line\nand: one two"},
	{"a line\nand: ", "one twos", "a line\nand: one\n  twos"},
	{"", "much_longer_than_it may be", "much_longer_than_it\n  may be"},
	/* What takes no column, or one of two bytes. */
	{"", "\033[31mone\033[0m two four", "\033[31mone\033[0m two four"},
	{"", "öne twö föur", "öne twö föur"},
	{"", "", ""},
};

static void check(int row, bool fold, const char *expected)
{
	const struct style style = {.width = 12, .fold = fold};
	struct text out = {0};

	text_puts(&out, rows[row].before);
	fold_put(&out, &style, 2, rows[row].words, strlen(rows[row].words));
	ck_assert_str_eq(out.data ? out.data : "", expected);
	text_finish(&out);
}

START_TEST(words_are_folded_at_the_width)
{
	check(_i, true, rows[_i].after);
}
END_TEST

START_TEST(what_goes_to_no_screen_is_left_as_it_is)
{
	struct text expected = {0};

	text_printf(&expected, "%s%s", rows[_i].before, rows[_i].words);
	check(_i, false, expected.data);
	text_finish(&expected);
}
END_TEST

START_TEST(what_fits_is_told)
{
	struct style style = {.width = 12, .fold = true};
	struct text out = {0};

	text_puts(&out, "a long first line\nab");
	ck_assert(fold_fits(&out, &style, 10));
	ck_assert(!fold_fits(&out, &style, 11));
	style.fold = false;
	ck_assert(fold_fits(&out, &style, 1000));
	text_finish(&out);
}
END_TEST

static const struct {
	const char *text;
	size_t rows;
	const char *after; /* 12 columns wide */
} cuts[] = {
	{"a\nb\nc\n", 3, "a\nb\nc\n"},
	{"a\nb\nc\n", 0, "a\nb\nc\n"},
	{"a\nb\nc\n", 2, "a\n  …\n"},
	{"a\nb\nc\n", 1, "  …\n"},
	/* A line that takes two of the screen's. */
	{"a\na line of 13\nc\n", 4, "a\na line of 13\nc\n"},
	{"a\na line of 13.\nc\n", 4, "a\na line of 13.\nc\n"},
	{"a\na line of 13.\nc\n", 3, "a\n  …\n"},
	{"", 1, ""},
};

START_TEST(what_is_too_long_is_cut)
{
	const struct style style = {.width = 12, .fold = true};
	struct text out = {0};

	text_puts(&out, "before\n");
	text_puts(&out, cuts[_i].text);
	fold_cut(&out, &style, strlen("before\n"), cuts[_i].rows);
	ck_assert_str_eq(out.data + strlen("before\n"), cuts[_i].after);
	text_finish(&out);
}
END_TEST

Suite *report_fold_suite(void)
{
	Suite *suite = suite_create("report_fold");
	TCase *tcase = tcase_create("report_fold");

	tcase_add_loop_test(
		tcase, words_are_folded_at_the_width, 0, COUNT(rows));
	tcase_add_loop_test(
		tcase, what_goes_to_no_screen_is_left_as_it_is, 0, COUNT(rows));
	tcase_add_test(tcase, what_fits_is_told);
	tcase_add_loop_test(tcase, what_is_too_long_is_cut, 0, COUNT(cuts));
	suite_add_tcase(suite, tcase);
	return suite;
}
