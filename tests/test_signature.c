/* SPDX-License-Identifier: MIT */
#include "grader/engine/signature.h"

#include "base/arena.h"
#include "base/error.h"
#include "tests/suites.h"
#include "tests/support/lesson.h"

#include <string.h>

static struct arena *arena;
static struct error err;
static struct diagnostic_list list;

/* mask(n), and the lesson's solve(). */
static const struct parameter mask_parameters[] = {
	{.name = "n", .type = TYPE_SIZE, .says = "how many"},
};
static struct function functions[2];

static void set_up(void)
{
	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	functions[0] = (struct function){
		.name = "mask",
		.parameters = mask_parameters,
		.n_parameters = 1,
		.return_says = "",
	};
	functions[1] = lesson_function;
}

static void tear_down(void)
{
	arena_destroy(arena);
}

/* What is said of a source about which gcc says this. */
static void explain(const char *source, const char *gcc)
{
	struct source_file file =
		source_file_of("solve.c", source, strlen(source));

	ck_assert(diagnostic_list_init(&list, &file, arena, &err));
	ck_assert(diagnostics_parse(
		&list, DIAGNOSTIC_COMPILER, gcc, strlen(gcc), true, &err));
	ck_assert(signature_explain(&list, functions, 2, &err));
}

static const struct {
	const char *source;
	const char *gcc;
	const char *sentence; /* NULL: none of ours */
} rows[] = {
	{"int mask(size_t n);",
		"solve.c:1:5: error: conflicting types for 'mask'; have ...",
		"mask: returns int, expected void"},
	{"void mask(int n) {}",
		"solve.c:1:5: error: conflicting types for 'mask'; have ...",
		"mask: parameter 1, n: expected size_t n, found int n"},
	{"void mask(int n) {}\ndouble solve(void) { return 0; }",
		"solve.c:2:5: error: conflicting types for 'solve'; have ...",
		"solve: expected 5 parameters, found 0"},
	/* gcc does not say of which one: only that can be wrong. */
	{"void mask(n) {}\ndouble solve() { return 0; }",
		"solve.c:2:5: error: number of arguments doesn't match "
		"prototype",
		"solve: expected 5 parameters, found 0"},
	{"void mask(real n) {}",
		"solve.c:1:5: error: conflicting types for 'mask'; have ...",
		"expected: void mask(size_t n)"},
	{"void mask(int n) {}", "solve.c:1:5: error: 'n' undeclared", NULL},
	/* Another function's name, or in the middle of a message. */
	{"void mask(int n) {}",
		"solve.c:1:5: error: conflicting types for 'masks'", NULL},
	{"void mask(int n) {}",
		"solve.c:1:2: error: #error conflicting types for 'mask'",
		NULL},
};

START_TEST(what_gcc_finds_wrong_is_said_in_our_words)
{
	explain(rows[_i].source, rows[_i].gcc);
	if (!rows[_i].sentence) {
		ck_assert_uint_eq(list.n_own, 0);
		ck_assert_int_eq(list.items[0].severity, SEVERITY_ERROR);
		return;
	}
	ck_assert_uint_gt(list.n_own, 0);
	ck_assert_str_eq(list.items[0].message, rows[_i].sentence);
	ck_assert_int_eq(list.items[0].severity, SEVERITY_ERROR);
	/* Once is enough. */
	ck_assert_int_eq(list.items[list.count - 1].severity, SEVERITY_NOTE);
}
END_TEST

/* Which of two is meant cannot be told. */
START_TEST(a_function_written_twice_has_the_line_that_gcc_names)
{
	explain("void mask(size_t n) {}\nint mask(int n) { return n; }",
		"solve.c:2:5: error: conflicting types for 'mask'; have ...");
	ck_assert_uint_eq(list.n_own, 1);
	ck_assert_str_eq(
		list.items[0].message, "expected: void mask(size_t n)");
	ck_assert_int_eq(list.items[0].line, 2);
}
END_TEST

START_TEST(each_wrong_function_has_its_sentence)
{
	explain("int mask(size_t n);\nint solve(size_t n);",
		"solve.c:1:5: error: conflicting types for 'mask'; have ...\n"
		"solve.c:2:5: error: conflicting types for 'solve'; have ...");
	ck_assert_uint_eq(list.n_own, 4);
	ck_assert_str_eq(
		list.items[0].message, "mask: returns int, expected void");
	ck_assert_int_eq(list.items[0].line, 1);
	ck_assert_str_eq(
		list.items[1].message, "solve: returns int, expected double");
	ck_assert_int_eq(list.items[1].line, 2);
	ck_assert_str_eq(
		list.items[2].message, "solve: expected 5 parameters, found 1");
	ck_assert_int_eq(list.items[3].severity, SEVERITY_NOTE);
}
END_TEST

START_TEST(a_file_that_is_no_text_is_said_to_be_none)
{
	static const char source[] = "\xff\xfei\0n\0t\0";
	static const char gcc[] = "solve.c:1:1: error: stray '\\377'";
	struct source_file file =
		source_file_of("solve.c", source, sizeof(source) - 1);

	ck_assert(diagnostic_list_init(&list, &file, arena, &err));
	ck_assert(diagnostics_parse(
		&list, DIAGNOSTIC_COMPILER, gcc, strlen(gcc), true, &err));
	ck_assert(signature_explain(&list, functions, 2, &err));
	ck_assert_uint_eq(list.n_own, 3);
	ck_assert_str_eq(list.items[0].message,
		"this is not C as text: there are NUL bytes in it (is it a "
		"program, or was it saved as anything but plain text?)");
	ck_assert_int_eq(list.items[1].severity, SEVERITY_NOTE);
	ck_assert_str_eq(
		list.items[1].message, "expected: void mask(size_t n)");
}
END_TEST

START_TEST(what_was_written_is_quoted_on_one_line_and_not_at_length)
{
	explain("void mask(const\n\tunsigned   /* a comment */ long\tlong "
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"a"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"a"
		") {}",
		"solve.c:1:5: error: conflicting types for 'mask'; have ...");
	ck_assert_str_eq(list.items[0].message,
		"mask: parameter 1, n: expected size_t n, found const unsigned "
		"long long...");
}
END_TEST

Suite *signature_suite(void)
{
	Suite *suite = suite_create("signature");
	TCase *tcase = tcase_create("signature");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, what_gcc_finds_wrong_is_said_in_our_words, 0,
		sizeof(rows) / sizeof(*rows));
	tcase_add_test(tcase, each_wrong_function_has_its_sentence);
	tcase_add_test(
		tcase, a_function_written_twice_has_the_line_that_gcc_names);
	tcase_add_test(tcase, a_file_that_is_no_text_is_said_to_be_none);
	tcase_add_test(tcase,
		what_was_written_is_quoted_on_one_line_and_not_at_length);
	suite_add_tcase(suite, tcase);
	return suite;
}
