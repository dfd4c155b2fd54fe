/* SPDX-License-Identifier: MIT */
#include "grader/engine/diagnostics.h"

#include "base/arena.h"
#include "base/error.h"
#include "tests/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena *arena;
static struct error err;
static struct diagnostic_list list;

static const char plain[] = "one\ntwo\r\nthree";

static void set_up(void)
{
	struct source_file source =
		source_file_of("solve.c", plain, strlen(plain));

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	ck_assert(diagnostic_list_init(&list, &source, arena, &err));
}

static void tear_down(void)
{
	arena_destroy(arena);
}

static void parse_with(enum diagnostic_tool tool, const char *source,
	const char *text, bool failed)
{
	list.source = source_file_of("solve.c", source, strlen(source));
	ck_assert(diagnostics_parse(
		&list, tool, text, strlen(text), failed, &err));
}

static void parse(const char *text)
{
	parse_with(DIAGNOSTIC_COMPILER, plain, text, true);
}

static void check(size_t index, enum severity severity, int line, int column,
	const char *message)
{
	ck_assert_uint_lt(index, list.count);
	ck_assert_int_eq(list.items[index].severity, severity);
	ck_assert_int_eq(list.items[index].line, line);
	ck_assert_int_eq(list.items[index].column, column);
	ck_assert_str_eq(list.items[index].message, message);
}

static void check_source(size_t index, const char *text)
{
	const struct diagnostic *item = &list.items[index];

	ck_assert_uint_eq(item->source_len, strlen(text));
	ck_assert_int_eq(memcmp(item->source, text, item->source_len), 0);
}

START_TEST(gcc_text_becomes_diagnostics_with_place_option_and_source)
{
	parse("In file included from <command-line>:\n"
	      "solve.c: In function 'solve':\n"
	      "solve.c:2:13: warning: unused variable 'x' "
	      "[-Wunused-variable]\n"
	      "solve.c:3:1: error: expected ';' before '}' token\n"
	      "solve.c:3: note: here\n"
	      "compilation terminated.\n");
	ck_assert_uint_eq(list.count, 3);
	check(0, SEVERITY_WARNING, 2, 13, "unused variable 'x'");
	ck_assert_str_eq(list.items[0].option, "-Wunused-variable");
	check_source(0, "two");
	check(1, SEVERITY_ERROR, 3, 1, "expected ';' before '}' token");
	ck_assert_ptr_null(list.items[1].option);
	check_source(1, "three");
	check(2, SEVERITY_NOTE, 3, 0, "here");
}
END_TEST

/* None of these may claim to be about a line of the learner's. */
static const char *const elsewhere[] = {
	"./solve.h:5:6: error: text",
	"/etc/passwd:1:1: error: text",
	"solve.c.h:1:1: error: text",
	"resolve.c:1:1: error: text",
	"cc1: error: text",
	"solve.c:0:1: error: text",
	"solve.c:4:1: error: text",
	"solve.c:99999999999999999999:1: error: text",
	"solve.c:-1:1: error: text",
	"solve.c: error: text",
	"<command-line>: fatal error: text",
	"x: error: text",
};

START_TEST(what_is_not_in_the_file_has_no_place)
{
	parse(elsewhere[_i]);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_int_eq(list.items[0].line, 0);
	ck_assert_int_eq(list.items[0].column, 0);
	ck_assert_ptr_null(list.items[0].source);
	check(0, SEVERITY_ERROR, 0, 0, "text");
}
END_TEST

START_TEST(renumbered_lines_have_no_place)
{
	parse_with(DIAGNOSTIC_COMPILER, "#line 1 \"solve.c\"\none\n",
		"solve.c:1:1: error: text\n", true);
	check(0, SEVERITY_ERROR, 0, 0, "text");
}
END_TEST

static const char *const no_diagnostics[] = {
	"",
	"\n\n\n",
	"solve.c: In function 'solve':",
	"                 from solve.c:1:",
	"compilation terminated due to -fmax-errors=50.",
	"solve.c:1:1: nothing: text",
	"error",
	": error:",
	"solve.c:",
	"solve.c:1",
	"solve.c:1:",
	"solve.c:1:1:",
	"solve.c:1:1: error: ",
	"./solve.h:19:6: error: prototype declaration",
};

START_TEST(context_and_scraps_are_no_diagnostics)
{
	parse(no_diagnostics[_i]);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(how_an_array_is_spelt_is_noise_but_its_bound_is_not)
{
	parse("solve.c:2:27: warning: argument 5 of type 'const double "
	      "(*)[d]' declared as a pointer [-Wvla-parameter]\n"
	      "./solve.h:6:25: note: previously declared as a variable "
	      "length array 'const double[Tq][d]'\n"
	      "solve.c:2:47: warning: argument 6 of type 'const double"
	      "[Tq][d]' declared with mismatched bound argument 1 "
	      "[-Wvla-parameter]\n"
	      "./solve.h:6:48: note: previously declared as 'const double"
	      "[Tk][d]' with bound argument 2\n");
	ck_assert_uint_eq(list.count, 2);
	ck_assert_ptr_nonnull(
		strstr(list.items[0].message, "mismatched bound"));
	ck_assert_ptr_nonnull(strstr(list.items[1].message, "argument 2"));
}
END_TEST

START_TEST(nothing_is_an_error_where_the_compiler_succeeded)
{
	parse_with(DIAGNOSTIC_COMPILER, plain,
		"solve.c:1:9: note: '#pragma message: a\n"
		"solve.c:1:1: error: forged\n'\n",
		false);
	for (size_t i = 0; i < list.count; i++)
		ck_assert_int_ne(list.items[i].severity, SEVERITY_ERROR);
}
END_TEST

START_TEST(the_assembler_is_read_as_well)
{
	parse_with(DIAGNOSTIC_ASSEMBLER, plain,
		"learner.s: Assembler messages:\n"
		"solve.c:2: Error: no such instruction: `foo bar'\n"
		"learner.s:7: Error: file not found: /etc/shadow\n",
		true);
	ck_assert_uint_eq(list.count, 2);
	check(0, SEVERITY_ERROR, 2, 0, "no such instruction: `foo bar'");
	check(1, SEVERITY_ERROR, 0, 0, "file not found: /etc/shadow");
}
END_TEST

START_TEST(the_linker_is_read_once_for_each_name_and_place)
{
	parse_with(DIAGNOSTIC_LINKER, plain,
		"ld: learner.o: in function `solve':\n"
		"./solve.c:2: undefined reference to `foo'\n"
		"ld: ./solve.c:2: undefined reference to `foo'\n"
		"ld: /x/solve.c:3:(.text+0x7): undefined reference to `bar'\n"
		"ld: learner.o: in function `grader_run':\n"
		"ld: warning: something\n"
		"ld: final link failed: bad value\n"
		"/x/solve.c:3:(.text+0x7): relocation truncated to fit: R_X\n"
		"learner.o:(.foo+0x0): relocation truncated to fit: R_Y\n"
		"solve.c:2: too far\n"
		"x: no such message\n",
		true);
	ck_assert_uint_eq(list.count, 6);
	check(0, SEVERITY_ERROR, 2, 0,
		"foo is called or used, but it is defined nowhere");
	check(1, SEVERITY_ERROR, 3, 0,
		"bar is called or used, but it is defined nowhere");
	check(2, SEVERITY_ERROR, 0, 0, "final link failed: bad value");
	check(3, SEVERITY_ERROR, 3, 0, "relocation truncated to fit: R_X");
	check(4, SEVERITY_ERROR, 0, 0, "relocation truncated to fit: R_Y");
	check(5, SEVERITY_ERROR, 2, 0, "too far");
}
END_TEST

START_TEST(our_own_sentences_come_first_in_their_order)
{
	parse("solve.c:1:1: error: theirs\n");
	ck_assert(diagnostics_add(&list, SEVERITY_ERROR, 3, "first", &err));
	ck_assert(diagnostics_add(&list, SEVERITY_NOTE, 0, "second", &err));
	ck_assert_uint_eq(list.count, 3);
	check(0, SEVERITY_ERROR, 3, 0, "first");
	check(1, SEVERITY_NOTE, 0, 0, "second");
	check(2, SEVERITY_ERROR, 1, 1, "theirs");
	ck_assert_ptr_nonnull(diagnostics_find(&list, "thei"));
	ck_assert_ptr_null(diagnostics_find(&list, "first"));
}
END_TEST

static void parse_many(int count)
{
	char line[64];

	for (int i = 0; i < count; i++) {
		snprintf(line, sizeof(line), "solve.c:1:%d: error: e%d\n",
			i + 1, i);
		parse(line);
	}
}

START_TEST(more_than_can_be_kept_is_cut_and_ours_still_fits)
{
	parse_many(DIAGNOSTICS_MAX);
	ck_assert(!list.cut);
	ck_assert(diagnostics_add(&list, SEVERITY_ERROR, 0, "ours", &err));
	ck_assert(list.cut);
	ck_assert_uint_eq(list.count, DIAGNOSTICS_MAX);
	ck_assert_str_eq(list.items[0].message, "ours");
}
END_TEST

START_TEST(more_of_ours_than_can_be_kept_is_cut)
{
	for (int i = 0; i < DIAGNOSTICS_MAX + 3; i++)
		ck_assert(diagnostics_add(
			&list, SEVERITY_ERROR, i, "ours", &err));
	ck_assert(list.cut);
	ck_assert_uint_eq(list.count, DIAGNOSTICS_MAX);
	ck_assert_uint_eq(list.n_own, DIAGNOSTICS_MAX);
}
END_TEST

START_TEST(a_long_message_ends_with_three_dots)
{
	char *text = malloc(20000);

	ck_assert_ptr_nonnull(text);
	strcpy(text, "solve.c:1:1: error: ");
	memset(text + 20, 'x', 19000);
	text[19020] = '\0';
	parse(text);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_uint_lt(strlen(list.items[0].message), 2000);
	ck_assert_str_eq(
		list.items[0].message + strlen(list.items[0].message) - 4,
		"x...");
	free(text);
}
END_TEST

/* Made of what the parser looks for, with any bytes between. */
START_TEST(any_bytes_are_read_within_their_bounds)
{
	static const char *const pieces[] = {"solve.c", ":", "1", "2", ": ",
		"error: ", "warning: ", "note: ", "[-W", "]", "\n",
		"ld: ", "undefined reference to `", "'", "Error: ", "./",
		"\xff", "\x1b[31m", " ", "multiple definition of `",
		"99999999999"};
	const size_t n_pieces = sizeof(pieces) / sizeof(*pieces);
	unsigned int state = 11;

	for (int round = 0; round < 4000; round++) {
		size_t len = 0, most = 300;
		char *text = malloc(most + 32);

		ck_assert_ptr_nonnull(text);
		while (len < most) {
			const char *piece;

			state = state * 1103515245U + 12345U;
			piece = pieces[(state >> 8) % n_pieces];
			memcpy(text + len, piece, strlen(piece));
			len += strlen(piece);
			if ((state >> 20) % 8 == 0)
				text[len++] = (char)(state >> 12);
			if ((state >> 16) % 64 == 0)
				break;
		}
		text = realloc(text, len);
		list.count = 0;
		list.n_own = 0;
		ck_assert(diagnostics_parse(&list,
			(enum diagnostic_tool)(round % 3), text, len, round % 2,
			&err));
		for (size_t i = 0; i < list.count; i++)
			ck_assert_int_le(list.items[i].line, 3);
		free(text);
	}
}
END_TEST

Suite *diagnostics_suite(void)
{
	Suite *suite = suite_create("diagnostics");
	TCase *tcase = tcase_create("diagnostics");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 20);
	tcase_add_test(tcase,
		gcc_text_becomes_diagnostics_with_place_option_and_source);
	tcase_add_loop_test(tcase, what_is_not_in_the_file_has_no_place, 0,
		sizeof(elsewhere) / sizeof(*elsewhere));
	tcase_add_test(tcase, renumbered_lines_have_no_place);
	tcase_add_loop_test(tcase, context_and_scraps_are_no_diagnostics, 0,
		sizeof(no_diagnostics) / sizeof(*no_diagnostics));
	tcase_add_test(
		tcase, how_an_array_is_spelt_is_noise_but_its_bound_is_not);
	tcase_add_test(tcase, nothing_is_an_error_where_the_compiler_succeeded);
	tcase_add_test(tcase, the_assembler_is_read_as_well);
	tcase_add_test(tcase, the_linker_is_read_once_for_each_name_and_place);
	tcase_add_test(tcase, our_own_sentences_come_first_in_their_order);
	tcase_add_test(tcase, more_than_can_be_kept_is_cut_and_ours_still_fits);
	tcase_add_test(tcase, more_of_ours_than_can_be_kept_is_cut);
	tcase_add_test(tcase, a_long_message_ends_with_three_dots);
	tcase_add_test(tcase, any_bytes_are_read_within_their_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}
