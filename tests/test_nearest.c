/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"
#include "tests/suites.h"

static const char *const names[] = {
	"grade", "list", "show", "start", "hint", "cases", "doctor", "help"};

static const struct {
	const char *word;
	const char *meant;
} rows[] = {
	{"grdae", "grade"},
	{"GRADE", "grade"},
	{"grades", "grade"},
	{"hnit", "hint"},
	{"doktor", "doctor"},
	{"halp", "help"},
	{"zzz", NULL},
	{"", NULL},
	{"ab", NULL},
	{"a-word-that-is-far-longer-than-any-name-that-could-ever-have-been-"
	 "meant",
		NULL},
};

START_TEST(the_name_that_was_meant_is_found)
{
	const char *found = nearest_name(
		rows[_i].word, names, sizeof(names) / sizeof(*names));

	if (!rows[_i].meant)
		ck_assert_ptr_null(found);
	else
		ck_assert_str_eq(found, rows[_i].meant);
}
END_TEST

Suite *nearest_suite(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tcase = tcase_create("rows");

	tcase_add_loop_test(tcase, the_name_that_was_meant_is_found, 0,
		sizeof(rows) / sizeof(*rows));
	suite_add_tcase(suite, tcase);
	return suite;
}
