/* SPDX-License-Identifier: MIT */
#include "base/escape.h"
#include "base/text.h"
#include "tests/suites.h"

#include <string.h>

#define BYTES(literal) literal, sizeof(literal) - 1

static const struct {
	const char *rule;
	const char *in;
	size_t len;
	bool ascii, line;
	const char *out;
} rules[] = {
	{"plain text stays", BYTES("Q[1] = 2\n\tx"), false, false,
		"Q[1] = 2\n\tx"},
	{"on one line even newline and tab go", BYTES("a\n\tb"), false, true,
		"a\\x0a\\x09b"},
	{"a terminal's escape goes", BYTES("\033[2J"), false, false,
		"\\x1b[2J"},
	{"NUL, BEL, CR and DEL go", BYTES("\0\a\r\177"), false, false,
		"\\x00\\x07\\x0d\\x7f"},
	{"umlauts stay", BYTES("\xc3\xa4"), false, false, "\xc3\xa4"},
	{"unless only ASCII will do", BYTES("\xc3\xa4"), true, false,
		"\\xc3\\xa4"},
	{"the C1 controls go", BYTES("\xc2\x9b"), false, false, "\\xc2\\x9b"},
	{"a right-to-left override goes", BYTES("\xe2\x80\xae"), false, false,
		"\\xe2\\x80\\xae"},
	{"isolates go", BYTES("\xe2\x81\xa6"), false, false, "\\xe2\\x81\\xa6"},
	{"an overlong slash goes", BYTES("\xc0\xaf"), false, false,
		"\\xc0\\xaf"},
	{"a surrogate goes", BYTES("\xed\xa0\x80"), false, false,
		"\\xed\\xa0\\x80"},
	{"past Unicode goes", BYTES("\xf4\x90\x80\x80"), false, false,
		"\\xf4\\x90\\x80\\x80"},
	{"a cut sequence goes", BYTES("\xe2\x82"), false, false, "\\xe2\\x82"},
	{"text after a bad byte stays", BYTES("\xffok"), false, false,
		"\\xffok"},
	{"four bytes stay", BYTES("\xf0\x9f\x99\x82"), false, false,
		"\xf0\x9f\x99\x82"},
};

START_TEST(every_rule_holds)
{
	struct text out = {0};

	(rules[_i].line ? escape_put_line : escape_put)(
		&out, rules[_i].in, rules[_i].len, rules[_i].ascii);
	ck_assert_msg(strcmp(out.data, rules[_i].out) == 0, "%s: %s",
		rules[_i].rule, out.data);
	text_finish(&out);
}
END_TEST

Suite *escape_suite(void)
{
	Suite *suite = suite_create("escape");
	TCase *tcase = tcase_create("rules");

	tcase_add_loop_test(
		tcase, every_rule_holds, 0, sizeof(rules) / sizeof(*rules));
	suite_add_tcase(suite, tcase);
	return suite;
}
