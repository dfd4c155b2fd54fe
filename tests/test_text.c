/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "tests/suites.h"

#include <string.h>

START_TEST(text_grows_and_stays_terminated)
{
	struct text text = {0};
	struct error err = {0};

	for (int i = 0; i < 1000; i++)
		text_printf(&text, "%03d", i);
	text_put(&text, "a\0b", 3);
	ck_assert(text_check(&text, &err));
	ck_assert_uint_eq(text.len, 3003);
	ck_assert_mem_eq(text.data + 2997, "999a\0b\0", 7);
	text_finish(&text);
	ck_assert_ptr_null(text.data);
}
END_TEST

START_TEST(too_much_text_is_remembered_as_a_failure)
{
	struct text text = {0};
	struct error err = {0};

	text_puts(&text, "ab");
	text_put(&text, "", (size_t)-1 / 2);
	text_puts(&text, "cd");
	ck_assert(!text_check(&text, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_uint_eq(text.len, 2);
	text_finish(&text);
}
END_TEST

Suite *text_suite(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");

	tcase_add_test(tcase, text_grows_and_stays_terminated);
	tcase_add_test(tcase, too_much_text_is_remembered_as_a_failure);
	suite_add_tcase(suite, tcase);
	return suite;
}
