/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "grader/engine/json.h"
#include "tests/suites.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define BYTES(literal) literal, sizeof(literal) - 1

/* What is no JSON, and where. */
static const struct {
	const char *text;
	size_t len;
	const char *says;
} slips[] = {
	{BYTES(""), "x:1:1: expected a value, found the end of the file"},
	{BYTES(" \n\t"), "x:2:2: expected a value, found the end of the file"},
	{BYTES("{} x"), "x:1:4: expected the end of the file, found 'x'"},
	{BYTES("{}\0"),
		"x:1:3: expected the end of the file, found a NUL "
		"byte"},
	{BYTES("[1,\0]"), "x:1:4: expected a value, found a NUL byte"},
	{BYTES("\xef\xbb\xbf{}"),
		"x:1:1: expected a value, found a byte order mark"},
	{BYTES("[1,\n 2\n 3]"), "x:3:2: expected a comma or ']', found '3'"},
	{BYTES("[1,]"), "x:1:4: expected a value behind a comma, found ']'"},
	{BYTES("[1"),
		"x:1:3: expected a comma or ']', found the end of the "
		"file"},
	{BYTES("{\"a\":1,}"),
		"x:1:8: expected a key behind a comma, found '}'"},
	{BYTES("{a:1}"), "x:1:2: expected a key in quotes, found 'a'"},
	{BYTES("{\"a\" 1}"), "x:1:6: expected ':' behind a key, found '1'"},
	{BYTES("{\"a\":1 \"b\":2}"),
		"x:1:8: expected a comma or '}', found "
		"'\"'"},
	{BYTES("[NaN]"), "x:1:2: expected a value, found 'NaN'"},
	{BYTES("[Infinity]"), "x:1:2: expected a value, found 'Infinity'"},
	{BYTES("[True]"), "x:1:2: expected a value, found 'True'"},
	{BYTES("[truex]"), "x:1:6: expected a comma or ']', found 'x'"},
	{BYTES("[+1]"), "x:1:2: expected a value, found '+'"},
	{BYTES("[01]"), "x:1:3: expected a comma or ']', found '1'"},
	{BYTES("[.5]"), "x:1:2: expected a value, found '.'"},
	{BYTES("[1.]"), "x:1:4: expected a digit, found ']'"},
	{BYTES("[1e]"), "x:1:4: expected a digit, found ']'"},
	{BYTES("[-]"), "x:1:3: expected a digit, found ']'"},
	{BYTES("[0x10]"), "x:1:3: expected a comma or ']', found 'x'"},
	{BYTES("[12345678901234567890123456789012345678901]"),
		"x:1:2: a number has more than 40 characters"},
	{BYTES("[// 1\n]"), "x:1:2: expected a value, found '/'"},
	{BYTES("['a']"), "x:1:2: expected a value, found '''"},
	{BYTES("[\"abc"), "x:1:2: a string has no end"},
	{BYTES("[\"abc\n\"]"), "x:1:2: a string has no end on its line"},
	{BYTES("[\"a\tb\"]"),
		"x:1:4: expected a character of a string, found "
		"'\\x09'"},
	{BYTES("[\"a\0b\"]"),
		"x:1:4: expected a character of a string, found "
		"a NUL byte"},
	{BYTES("[\"\xff\"]"),
		"x:1:3: expected a character of a string, found "
		"byte 0xff, which is no UTF-8 here"},
	{BYTES("[\"\xc0\xaf\"]"),
		"x:1:3: expected a character of a string, found byte 0xc0, "
		"which is no UTF-8 here"},
	{BYTES("[\"\\x\"]"),
		"x:1:4: expected one of \" \\ / b f n r t u "
		"behind \\, found 'x'"},
	{BYTES("[\"\\u12g4\"]"),
		"x:1:7: expected four hexadecimal digits "
		"behind \\u, found 'g'"},
	{BYTES("[\"\\u0000\"]"), "x:1:3: a string has a NUL in it"},
	{BYTES("[\"\\ud83d\"]"), "x:1:3: half of a surrogate pair"},
	{BYTES("[\"\\ude00\"]"), "x:1:3: half of a surrogate pair"},
	{BYTES("[\"\\ud83d\\u0041\"]"), "x:1:3: half of a surrogate pair"},
	{BYTES("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1"),
		"x:1:33: values are nested too deeply"},
};

START_TEST(a_slip_of_syntax_has_line_and_column)
{
	struct json json = {0};
	struct error err = {0};

	ck_assert_msg(
		!json_parse("x", slips[_i].text, slips[_i].len, &json, &err),
		"%s", slips[_i].text);
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_str_eq(err.message, slips[_i].says);
	ck_assert_ptr_null(json.root);
}
END_TEST

START_TEST(a_file_too_long_is_refused)
{
	char *text = malloc(JSON_BYTES_MAX + 1);
	struct json json = {0};
	struct error err = {0};

	ck_assert_ptr_nonnull(text);
	memset(text, ' ', JSON_BYTES_MAX + 1);
	ck_assert(!json_parse("x", text, JSON_BYTES_MAX + 1, &json, &err));
	ck_assert_str_eq(
		err.message, "x: has 4194305 bytes, expected at most 4194304");
	free(text);
}
END_TEST

START_TEST(too_many_values_are_refused)
{
	size_t len = 2 * (size_t)JSON_VALUES_MAX + 1;
	char *text = malloc(len);
	struct json json = {0};
	struct error err = {0};

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < len; i++)
		text[i] = i % 2 ? '0' : ',';
	text[0] = '[';
	text[len - 1] = ']';
	ck_assert(!json_parse("x", text, len, &json, &err));
	ck_assert_str_eq(err.message,
		"x:1:2000000: the file has more than 1000000 values");
	text[len - 3] = ' ';
	text[len - 2] = ' ';
	ck_assert_msg(
		json_parse("x", text, len, &json, &err), "%s", err.message);
	json_finish(&json);
	free(text);
}
END_TEST

static const char sample[] = "{\n"
			     "  \"a\": [1, {\"b\": \"x\\u00e4\"},\n"
			     "    [10, 6.69762, 1.5e-3, 1e3, -0.50]],\n"
			     "  \"c\": {\"d\": true,\n"
			     "        \"e\": -9223372036854775808,\n"
			     "        \"f\": 18446744073709551615}\n"
			     "}\n";

/* The value behind a path such as "a 2 1": keys and indices. */
static const cJSON *find(const struct json *json, const char *path)
{
	char words[64];
	const cJSON *item = json->root;
	char *rest = NULL;

	strcpy(words, path);
	for (char *word = strtok_r(words, " ", &rest); word;
		word = strtok_r(NULL, " ", &rest))
		item = cJSON_IsArray(item)
			? cJSON_GetArrayItem(item, atoi(word))
			: cJSON_GetObjectItem(item, word);
	ck_assert_ptr_nonnull(item);
	return item;
}

static void parse_sample(struct json *json)
{
	struct error err = {0};

	ck_assert_msg(json_parse("x.json", sample, strlen(sample), json, &err),
		"%s", err.message);
}

START_TEST(every_value_has_its_place)
{
	static const struct {
		const char *path;
		const char *says;
	} rows[] = {
		{"", "x.json:1: the top level is odd"},
		{"a", "x.json:2: a is odd"},
		{"a 0", "x.json:2: a[0] is odd"},
		{"a 1 b", "x.json:2: a[1].b is odd"},
		{"a 2", "x.json:3: a[2] is odd"},
		{"a 2 4", "x.json:3: a[2][4] is odd"},
		{"c d", "x.json:4: c.d is odd"},
		{"c f", "x.json:6: c.f is odd"},
	};
	struct json json = {0};
	struct error err = {0};

	parse_sample(&json);
	for (size_t i = 0; i < COUNT(rows); i++) {
		ck_assert(!json_fail(
			&json, find(&json, rows[i].path), &err, "is odd"));
		ck_assert_str_eq(err.message, rows[i].says);
	}
	json_finish(&json);
}
END_TEST

START_TEST(what_was_found_is_shown)
{
	static const struct {
		const char *path;
		const char *says;
	} rows[] = {
		{"a", "x.json:2: a is an array, expected tea"},
		{"a 1", "x.json:2: a[1] is an object, expected tea"},
		{"a 1 b", "x.json:2: a[1].b is \"x\xc3\xa4\", expected tea"},
		{"a 2 2", "x.json:3: a[2][2] is 1.5e-3, expected tea"},
		{"c d", "x.json:4: c.d is true, expected tea"},
	};
	struct json json = {0};
	struct error err = {0};

	parse_sample(&json);
	for (size_t i = 0; i < COUNT(rows); i++) {
		ck_assert(!json_expected(
			&json, find(&json, rows[i].path), &err, "tea"));
		ck_assert_str_eq(err.message, rows[i].says);
	}
	json_finish(&json);
}
END_TEST

START_TEST(decimals_are_those_that_were_written)
{
	static const int decimals[] = {0, 5, 4, -3, 2};
	struct json json = {0};

	parse_sample(&json);
	for (size_t i = 0; i < COUNT(decimals); i++)
		ck_assert_int_eq(
			json_decimals(&json,
				cJSON_GetArrayItem(find(&json, "a 2"), (int)i)),
			decimals[i]);
	json_finish(&json);
}
END_TEST

START_TEST(integers_beyond_a_double_are_read_exactly)
{
	struct json json = {0};
	struct error err = {0};
	uint64_t big = 0;
	int64_t small = 0;

	parse_sample(&json);
	ck_assert(json_unsigned(
		&json, find(&json, "c f"), UINT64_MAX, &big, &err));
	ck_assert_uint_eq(big, UINT64_MAX);
	ck_assert(!json_unsigned(
		&json, find(&json, "c e"), UINT64_MAX, &big, &err));
	ck_assert(json_integer(
		&json, find(&json, "c e"), INT64_MIN, INT64_MAX, &small, &err));
	ck_assert_int_eq(small, INT64_MIN);
	ck_assert(!json_integer(
		&json, find(&json, "c f"), INT64_MIN, INT64_MAX, &small, &err));
	ck_assert(!json_integer(
		&json, find(&json, "a 2 3"), 0, 2000, &small, &err));
	ck_assert_str_eq(err.message,
		"x.json:3: a[2][3] is 1e3, expected a whole number from 0 to "
		"2000");
	json_finish(&json);
}
END_TEST

START_TEST(terminal_escapes_in_names_do_not_get_through)
{
	static const char text[] = "{\"\\u001b[2J\": 1}";
	static const struct json_key key = {"name", JSON_ANY, true};
	struct json json = {0};
	struct error err = {0};
	const cJSON *value;

	ck_assert(json_parse("x", text, strlen(text), &json, &err));
	ck_assert(!json_object(&json, json.root, &key, 1, &value, &err));
	ck_assert_str_eq(err.message, "x:1: \\x1b[2J is no known key");
	json_finish(&json);
}
END_TEST

START_TEST(a_value_of_64_bits_too_many_is_no_integer)
{
	static const char text[] = "[18446744073709551616, 1e999, -1e999]";
	struct json json = {0};
	struct error err = {0};
	uint64_t number = 3;
	double real = 3;

	ck_assert(json_parse("x", text, strlen(text), &json, &err));
	ck_assert(!json_unsigned(
		&json, find(&json, "0"), UINT64_MAX, &number, &err));
	ck_assert_uint_eq(number, 3);
	ck_assert(!json_real(&json, find(&json, "1"), DBL_MAX, &real, &err));
	ck_assert_str_eq(
		err.message, "x:1: [1] is 1e999, expected a finite number");
	ck_assert(!json_real(&json, find(&json, "2"), DBL_MAX, &real, &err));
	ck_assert_double_eq(real, 3);
	json_finish(&json);
}
END_TEST

Suite *json_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tcase = tcase_create("json");

	tcase_add_loop_test(
		tcase, a_slip_of_syntax_has_line_and_column, 0, COUNT(slips));
	tcase_add_test(tcase, a_file_too_long_is_refused);
	tcase_add_test(tcase, too_many_values_are_refused);
	tcase_add_test(tcase, every_value_has_its_place);
	tcase_add_test(tcase, what_was_found_is_shown);
	tcase_add_test(tcase, decimals_are_those_that_were_written);
	tcase_add_test(tcase, integers_beyond_a_double_are_read_exactly);
	tcase_add_test(tcase, terminal_escapes_in_names_do_not_get_through);
	tcase_add_test(tcase, a_value_of_64_bits_too_many_is_no_integer);
	suite_add_tcase(suite, tcase);
	return suite;
}
