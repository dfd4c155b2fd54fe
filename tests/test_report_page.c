/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/report/page.h"
#include "grader/report/style.h"
#include "tests/suites.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* CommonMark and the page that it makes, 40 columns wide. */
static const struct {
	const char *rule;
	const char *source;
	const char *page;
} pages[] = {
	{"nothing makes nothing", "", ""},
	{"what has nothing to say makes nothing either",
		"#\n\n<!-- a -->\n\n<b></b>\n\n>\n\n```\n```\n", ""},
	{"and leaves no blank line or bar behind", "a\n\n> <b></b>\n\nb\n\n>\n",
		"a\n\nb\n"},
	{"an item without words has its mark", "- <b></b>\n- a", "• \n• a\n"},
	{"blank lines around all code fall out", "```\n\na\n\n\n```\n",
		"    a\n"},
	{"a paragraph is wrapped",
		"One two three four five six seven eight nine ten\neleven.\n",
		"One two three four five six seven eight\n"
		"nine ten eleven.\n"},
	{"a word that is too long stands alone",
		"a https://example.org/a/very/long/address/of/a/page b",
		"a\n"
		"https://example.org/a/very/long/address/of/a/page\n"
		"b\n"},
	{"large headings are underlined", "# Title\n## Part\n### Piece\ntext",
		"Title\n"
		"─────\n"
		"\n"
		"Part\n"
		"────\n"
		"\n"
		"Piece\n"
		"\n"
		"text\n"},
	{"emphasis goes, code keeps its marks",
		"*a* **b** `c*d` <b>e</b> f&amp;g", "a b `c*d` e f&g\n"},
	{"a line break that was insisted on is kept", "a\\\nb", "a\nb\n"},
	{"code is shown as it is", "    if (x)\n    \ty = 1;\n\n    z();\n",
		"    if (x)\n"
		"            y = 1;\n"
		"\n"
		"    z();\n"},
	{"fenced code, too, and never wrapped",
		"```c\n01234567890123456789 01234567890123456789 01\n```\n",
		"    01234567890123456789 01234567890123456789 01\n"},
	{"a tight list",
		"text\n\n- one two three four five six seven eight\n- two\n",
		"text\n"
		"\n"
		"• one two three four five six seven\n"
		"  eight\n"
		"• two\n"},
	{"a loose list with numbers and paragraphs", "9. a\n\n   b\n10. c\n",
		"9. a\n"
		"\n"
		"   b\n"
		"\n"
		"10. c\n"},
	{"a list in a list", "- a\n  - b\n    - c\n- d",
		"• a\n"
		"  • b\n"
		"    • c\n"
		"• d\n"},
	{"code in a list", "1. a\n\n       x = 1;\n",
		"1. a\n"
		"\n"
		"       x = 1;\n"},
	{"a quote", "> a\n>\n> b\n",
		"│ a\n"
		"│\n"
		"│ b\n"},
	{"a rule", "a\n\n---\n",
		"a\n"
		"\n"
		"────────────────────────────────────────\n"},
	{"links show where they lead", "[a](http://b) <http://c> ![d](e.png)",
		"a (http://b) http://c d (e.png)\n"},
	{"comments are not shown", "a\n\n<!-- b -->\n\nc\n", "a\n\nc\n"},
	{"a table is lined up",
		"| name | size |\n|------|-----:|\n| `a|b` | 1 |\n| c | 100 "
		"|\n",
		"name   size\n"
		"─────  ────\n"
		"`a|b`     1\n"
		"c       100\n"},
	{"a table without outer pipes, in a list, with an empty cell",
		"- a | b\n  --|--\n  | | *d* |\n  e\n",
		"• a  b\n"
		"  ─  ─\n"
		"     d\n"
		"  e\n"},
	{"pipes alone make no table", "a | b\nc | d\n", "a | b c | d\n"},
	{"what a terminal would obey is escaped", "a\033[31m \xff",
		"a\\x1b[31m \\xff\n"},
};

START_TEST(a_page_looks_as_it_should)
{
	const struct style style = {.width = 40};
	struct text out = {0};

	page_put(&out, &style, pages[_i].source, strlen(pages[_i].source));
	ck_assert(!out.failed);
	ck_assert_msg(strcmp(out.data ? out.data : "", pages[_i].page) == 0,
		"rule: %s\ngot:\n%s", pages[_i].rule, out.data);
	text_finish(&out);
}
END_TEST

START_TEST(colours_within_colours_come_back)
{
	const struct style style = {.width = 40, .color = true};
	const char *source = "# a `b` *c* d";
	struct text out = {0};

	page_put(&out, &style, source, strlen(source));
	ck_assert_str_eq(out.data,
		"\033[1ma \033[36mb\033[0m\033[1m \033[3mc\033[0m\033[1m d"
		"\033[0m\n"
		"\033[2m───────\033[0m\n");
	text_finish(&out);
}
END_TEST

START_TEST(in_ascii_nothing_else_is_written)
{
	const struct style style = {.width = 40, .ascii = true};
	const char *source = "- √d\n> “a”\n";
	struct text out = {0};

	page_put(&out, &style, source, strlen(source));
	ck_assert_str_eq(out.data, "* sqrt d\n\n| \"a\"\n");
	text_finish(&out);
}
END_TEST

/* Whatever there is in a lesson, it neither hangs nor crashes. */
START_TEST(a_page_of_one_thing_alone_is_shown)
{
	static const struct {
		const char *unit;
		size_t count;
		const char *end;
	} rows[] = {
		{">", 100000, " x\n"},
		{"- ", 100000, "x\n"},
		{"*", 100000, "x\n"},
		{"[", 100000, "x\n"},
		{"| a | b |\n|---|---|\n", 1, ""},
		{"| a | b |\n", 2, "|---|---|\n"},
		{"| a | b |\n|---|---|\n| `x` | y |\n", 3000, ""},
	};
	const struct style style = {.width = 40};
	struct text source = {0};
	struct text out = {0};

	for (size_t i = 0; i < rows[_i].count; i++)
		text_puts(&source, rows[_i].unit);
	text_puts(&source, rows[_i].end);
	page_put(&out, &style, source.data, source.len);
	ck_assert(!out.failed);
	ck_assert_uint_gt(out.len, 0);
	text_finish(&source);
	text_finish(&out);
}
END_TEST

Suite *report_page_suite(void)
{
	Suite *suite = suite_create("report_page");
	TCase *tcase = tcase_create("page");

	tcase_add_loop_test(tcase, a_page_looks_as_it_should, 0, COUNT(pages));
	tcase_add_test(tcase, colours_within_colours_come_back);
	tcase_add_test(tcase, in_ascii_nothing_else_is_written);
	tcase_add_loop_test(tcase, a_page_of_one_thing_alone_is_shown, 0, 7);
	suite_add_tcase(suite, tcase);
	return suite;
}
