/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/picture.h"
#include "tests/suites.h"
#include "tests/support/sample.h"

#include <string.h>

enum { ELEMENTS_MAX = 64 * 64 };

static struct sample sample;
static unsigned char elements[ELEMENTS_MAX];

/* A wrong answer of rows by columns, all of it right as yet. */
static struct case_grade *init(size_t rows, size_t columns, size_t first)
{
	struct value *output = &sample.arguments[SAMPLE_OUTPUT];
	struct case_grade *graded;

	sample_init(&sample);
	output->shape[0] = rows;
	output->shape[1] = columns;
	output->count = rows * columns;
	graded = sample_fail_with(&sample, 0, 1, 2);
	graded->mismatch.element = first;
	memset(elements, ELEMENT_RIGHT, sizeof(elements));
	elements[first] = ELEMENT_WRONG;
	graded->elements = elements;
	return graded;
}

static void check(const struct case_grade *graded, const char *expected)
{
	struct text out = {0};

	ck_assert(picture_is_worth_it(graded));
	picture_put(&out, &sample.options.style, 4, graded);
	ck_assert(!out.failed);
	if (strcmp(out.data, expected) != 0)
		ck_abort_msg("got:\n%s\nexpected:\n%s", out.data, expected);
	text_finish(&out);
}

START_TEST(rows_stand_below_each_other)
{
	struct case_grade *graded = init(3, 4, 1);

	elements[5] = elements[9] = ELEMENT_WRONG;
	check(graded,
		"    output, 3 rows of 4: ■ is wrong\n"
		"      0  · ■ · ·\n"
		"      1  · ■ · ·\n"
		"      2  · ■ · ·\n");
}
END_TEST

START_TEST(what_is_seen_is_explained)
{
	struct case_grade *graded = init(2, 3, 0);

	elements[1] = ELEMENT_NAN;
	elements[5] = ELEMENT_UNWRITTEN;
	check(graded,
		"    output, 2 rows of 3: ■ is wrong, n is NaN, ? was never "
		"written\n"
		"      0  ■ n ·\n"
		"      1  · · ?\n");
	elements[0] = ELEMENT_RIGHT;
	check(graded,
		"    output, 2 rows of 3: n is NaN, ? was never written\n"
		"      0  · n ·\n"
		"      1  · · ?\n");
}
END_TEST

START_TEST(in_ascii_there_are_dots_and_crosses)
{
	struct case_grade *graded = init(1, 5, 2);

	sample.options.style.ascii = true;
	check(graded,
		"    output, 1 row of 5: x is wrong\n"
		"      0  . . x . .\n");
}
END_TEST

START_TEST(colours_begin_and_end_with_what_they_mean)
{
	struct case_grade *graded = init(2, 3, 1);

	elements[2] = ELEMENT_WRONG;
	sample.options.style.color = true;
	check(graded,
		"    output, 2 rows of 3: ■ is wrong\n"
		"      0  \033[2m·\033[0m \033[31m■ ■\033[0m\n"
		"      1  \033[2m· · ·\033[0m\n");
}
END_TEST

/* A picture without a pattern is a sentence. */
START_TEST(where_all_are_alike_a_line_says_so)
{
	struct case_grade *graded = init(3, 2, 0);

	memset(elements, ELEMENT_WRONG, 6);
	check(graded, "    all 6 elements of output are wrong\n");
	memset(elements, ELEMENT_NAN, 6);
	check(graded, "    all 6 elements of output are NaN\n");
	memset(elements, ELEMENT_UNWRITTEN, 6);
	check(graded, "    all 6 elements of output were never written\n");
}
END_TEST

START_TEST(of_a_large_array_the_part_with_the_first_wrong_one_is_shown)
{
	struct case_grade *graded = init(64, 5, 63 * 5 + 4);

	elements[50 * 5] = ELEMENT_NAN;
	check(graded,
		"    output, rows 48 to 63 of 64, columns 0 to 4 of 5: ■ is "
		"wrong, n is NaN\n"
		"      48  · · · · ·\n"
		"      49  · · · · ·\n"
		"      50  n · · · ·\n"
		"      51  · · · · ·\n"
		"      52  · · · · ·\n"
		"      53  · · · · ·\n"
		"      54  · · · · ·\n"
		"      55  · · · · ·\n"
		"      56  · · · · ·\n"
		"      57  · · · · ·\n"
		"      58  · · · · ·\n"
		"      59  · · · · ·\n"
		"      60  · · · · ·\n"
		"      61  · · · · ·\n"
		"      62  · · · · ·\n"
		"      63  · · · · ■\n");
	graded = init(2, 64, 40);
	elements[64 + 63] = ELEMENT_WRONG;
	check(graded,
		"    output, rows 0 to 1 of 2, columns 32 to 63 of 64: ■ is "
		"wrong\n"
		"      0  · · · · · · · · ■ · · · · · · · · · · · · · · · · · "
		"· · · · · ·\n"
		"      1  · · · · · · · · · · · · · · · · · · · · · · · · · · "
		"· · · · · ■\n");
}
END_TEST

START_TEST(on_a_narrow_screen_less_of_it_is_shown)
{
	struct case_grade *graded = init(2, 64, 3);

	sample.options.style.fold = true;
	sample.options.style.width = 28;
	check(graded,
		"    output, rows 0 to 1 of\n"
		"    2, columns 0 to 9 of 64:\n"
		"    ■ is wrong\n"
		"      0  · · · ■ · · · · · ·\n"
		"      1  · · · · · · · · · ·\n");
	sample.options.style.width = 1;
	ck_assert(picture_is_worth_it(graded));
}
END_TEST

START_TEST(what_says_nothing_new_is_not_drawn)
{
	struct case_grade *graded = init(2, 2, 0);

	ck_assert(!picture_is_worth_it(graded));
	graded = init(2, 3, 0);
	ck_assert(picture_is_worth_it(graded));
	graded->verdict = VERDICT_TIME_LIMIT;
	ck_assert(!picture_is_worth_it(graded));
	graded->verdict = VERDICT_WRONG_ANSWER;
	graded->details = false;
	ck_assert(!picture_is_worth_it(graded));
	graded->details = true;
	graded->elements = NULL;
	ck_assert(!picture_is_worth_it(graded));
}
END_TEST

Suite *report_picture_suite(void)
{
	Suite *suite = suite_create("report_picture");
	TCase *tcase = tcase_create("pictures");

	tcase_add_test(tcase, rows_stand_below_each_other);
	tcase_add_test(tcase, what_is_seen_is_explained);
	tcase_add_test(tcase, in_ascii_there_are_dots_and_crosses);
	tcase_add_test(tcase, colours_begin_and_end_with_what_they_mean);
	tcase_add_test(tcase, where_all_are_alike_a_line_says_so);
	tcase_add_test(tcase,
		of_a_large_array_the_part_with_the_first_wrong_one_is_shown);
	tcase_add_test(tcase, on_a_narrow_screen_less_of_it_is_shown);
	tcase_add_test(tcase, what_says_nothing_new_is_not_drawn);
	suite_add_tcase(suite, tcase);
	return suite;
}
