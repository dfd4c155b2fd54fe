/* SPDX-License-Identifier: MIT */
#include "grader/engine/ctoken.h"

#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *source;
	bool renumbered;
} directives[] = {
	{"#line 1", true},
	{"  #  line 1 \"x\"\n", true},
	{"int x;\n# 33 \"/etc/passwd\"\n", true},
	{"#\\\nline 7\n", true},
	{"#li\\\nn\\\r\ne\\\n 7\n", true},
	{"#line\\\ns 7\n", false},
	{"/* a */ # /* b */ line 7\n", true},
	{"/* a\n b */ #line 7\n", true},
	{"%:line 7\n", true},
	{"\xef\xbb\xbf#line 7\n", true},
	{"#ifdef X\n#line 7\n#endif\n", true},
	{"int x; \\\n\n#line 7\n", true},
	{"", false},
	{"// step #1: #line\n", false},
	{"/*\n#line 7\n*/", false},
	{"// \\\n#line 7\n", false},
	{"char *s = \"\\\n#line 7\";\n", false},
	{"#define X \\\n#line 7\n", false},
	{"#lines 7\n", false},
	{"#include <math.h>\n#define N 33\n", false},
	{"int x; #line 7\n", false},
	{"char c = '\"';\n// \"\n", false},
	{"#error don't\nint x;\n", false},
};

START_TEST(a_line_directive_is_told_from_what_looks_like_one)
{
	const char *source = directives[_i].source;

	ck_assert_msg(ctoken_has_line_directive(source, strlen(source)) ==
			directives[_i].renumbered,
		"%s", source);
}
END_TEST

START_TEST(tokens_have_their_text_and_their_line)
{
	static const char source[] =
		"#define A b\nint main(void) // x\n{ return 0x1f+'\\''; }";
	static const struct {
		const char *text;
		int line;
		enum token_kind kind;
	} expected[] = {
		{"int", 2, TOKEN_NAME},
		{"main", 2, TOKEN_NAME},
		{"(", 2, TOKEN_PUNCTUATOR},
		{"void", 2, TOKEN_NAME},
		{")", 2, TOKEN_PUNCTUATOR},
		{"{", 3, TOKEN_PUNCTUATOR},
		{"return", 3, TOKEN_NAME},
		{"0x1f", 3, TOKEN_NUMBER},
		{"+", 3, TOKEN_PUNCTUATOR},
		{"'\\''", 3, TOKEN_STRING},
		{";", 3, TOKEN_PUNCTUATOR},
		{"}", 3, TOKEN_PUNCTUATOR},
	};
	struct ctoken_reader reader;
	struct token token;

	ctoken_start(&reader, source, strlen(source));
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		token = ctoken_next(&reader);
		ck_assert_msg(token_is(&token, expected[i].text), "%.*s",
			(int)token.len, token.text);
		ck_assert_int_eq(token.line, expected[i].line);
		ck_assert_int_eq(token.kind, expected[i].kind);
	}
	token = ctoken_next(&reader);
	ck_assert_int_eq(token.kind, TOKEN_END);
	token = ctoken_next(&reader);
	ck_assert_int_eq(token.kind, TOKEN_END);
}
END_TEST

START_TEST(any_bytes_end_and_stay_within_their_bounds)
{
	static const char letters[] = "#\\\n\r/*'\"%: line(){};1a\xff";
	unsigned int state = 7;

	for (int round = 0; round < 5000; round++) {
		size_t len = (state >> 8) % 40;
		char *data = malloc(len + 1);

		ck_assert_ptr_nonnull(data);
		for (size_t i = 0; i < len; i++) {
			state = state * 1103515245U + 12345U;
			data[i] = letters[(state >> 8) % sizeof(letters)];
		}
		state = state * 1103515245U + 12345U;
		data = realloc(data, len ? len : 1);
		ctoken_has_line_directive(data, len);
		free(data);
	}
}
END_TEST

Suite *ctoken_suite(void)
{
	Suite *suite = suite_create("ctoken");
	TCase *tcase = tcase_create("ctoken");

	tcase_add_loop_test(tcase,
		a_line_directive_is_told_from_what_looks_like_one, 0,
		sizeof(directives) / sizeof(*directives));
	tcase_add_test(tcase, tokens_have_their_text_and_their_line);
	tcase_add_test(tcase, any_bytes_end_and_stay_within_their_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}
