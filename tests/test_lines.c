/* SPDX-License-Identifier: MIT */
#include "grader/engine/lines.h"

#include "grader/engine/elf.h"
#include "tests/suites.h"
#include "tests/support/elf_file.h"

#include <stdint.h>
#include <string.h>

static struct elf_file file;
static struct elf elf;

static void set_up(void)
{
	elf_file_make(&file);
	ck_assert(elf_open(&elf, &file, sizeof(file)));
}

static const struct {
	uint64_t address;
	int line;
} rows[] = {
	{ELF_FILE_TEXT - 1, 0},
	{ELF_FILE_TEXT, 8},
	{ELF_FILE_TEXT + 15, 8},
	{ELF_FILE_TEXT + 16, 9},
	{ELF_FILE_TEXT + 31, 9},
	{ELF_FILE_TEXT + 32, 0},
	{0, 0},
	{UINT64_MAX, 0},
};

START_TEST(a_row_holds_from_its_address_to_the_next)
{
	ck_assert_int_eq(
		lines_find(&elf, "solve.c", rows[_i].address), rows[_i].line);
}
END_TEST

START_TEST(another_file_has_no_line)
{
	ck_assert_int_eq(lines_find(&elf, "other.c", ELF_FILE_TEXT), 0);
	ck_assert_int_eq(lines_find(&elf, "solve.cc", ELF_FILE_TEXT), 0);
	ck_assert_int_eq(lines_find(&elf, "", ELF_FILE_TEXT), 0);
}
END_TEST

START_TEST(a_program_without_a_table_has_no_line)
{
	file.sections[5].sh_name = 0;
	ck_assert_int_eq(lines_find(&elf, "solve.c", ELF_FILE_TEXT), 0);
}
END_TEST

/* Every byte in turn with every value: it ends, and no line is invented out of
   range. */
START_TEST(a_forged_table_is_read_to_its_end_and_no_further)
{
	for (size_t i = 0; i < sizeof(file.lines); i++) {
		unsigned char before = file.lines[i];

		for (unsigned int value = 0; value < 256; value++) {
			file.lines[i] = (unsigned char)value;
			ck_assert_int_ge(
				lines_find(&elf, "solve.c", ELF_FILE_SOLVE), 0);
		}
		file.lines[i] = before;
	}
}
END_TEST

START_TEST(a_table_cut_off_anywhere_is_read_to_its_end)
{
	uint64_t len = file.sections[5].sh_size;

	for (uint64_t cut = 0; cut < len; cut++) {
		file.sections[5].sh_size = cut;
		ck_assert_int_eq(lines_find(&elf, "solve.c", ELF_FILE_TEXT), 0);
	}
}
END_TEST

Suite *lines_suite(void)
{
	Suite *suite = suite_create("lines");
	TCase *tcase = tcase_create("lines");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_loop_test(tcase, a_row_holds_from_its_address_to_the_next, 0,
		sizeof(rows) / sizeof(*rows));
	tcase_add_test(tcase, another_file_has_no_line);
	tcase_add_test(tcase, a_program_without_a_table_has_no_line);
	tcase_add_test(tcase, a_forged_table_is_read_to_its_end_and_no_further);
	tcase_add_test(tcase, a_table_cut_off_anywhere_is_read_to_its_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
