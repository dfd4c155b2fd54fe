/* SPDX-License-Identifier: MIT */
#include "grader/engine/elf.h"

#include "base/error.h"
#include "base/file.h"
#include "grader/engine/lines.h"
#include "tests/suites.h"
#include "tests/support/elf_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static struct elf_file file;

static void set_up(void)
{
	elf_file_make(&file);
}

START_TEST(a_program_of_ours_is_taken)
{
	struct elf elf;

	ck_assert(elf_open(&elf, &file, sizeof(file)));
	ck_assert_ptr_null(elf_refuse(&elf));
}
END_TEST

START_TEST(symbols_are_found_by_name_globals_before_locals)
{
	struct elf_symbol symbol;
	struct elf elf;

	ck_assert(elf_open(&elf, &file, sizeof(file)));
	ck_assert_uint_eq(elf_n_symbols(&elf), ELF_FILE_SYMBOLS);
	ck_assert(elf_find_symbol(&elf, "solve", &symbol));
	ck_assert_uint_eq(symbol.binding, STB_GLOBAL);
	ck_assert_uint_eq(symbol.value, ELF_FILE_SOLVE);
	ck_assert(elf_find_symbol(&elf, "hidden", &symbol));
	ck_assert_uint_eq(symbol.binding, STB_LOCAL);
	ck_assert(!elf_find_symbol(&elf, "puts", &symbol)); /* undefined */
	ck_assert(!elf_find_symbol(&elf, "solv", &symbol));
	ck_assert(!elf_find_symbol(&elf, "", &symbol));
}
END_TEST

START_TEST(sections_are_found_by_name_and_lie_in_the_file)
{
	struct elf_section section;
	struct elf elf;

	ck_assert(elf_open(&elf, &file, sizeof(file)));
	ck_assert(elf_find_section(&elf, ".text", &section));
	ck_assert_uint_eq(section.address, ELF_FILE_TEXT);
	ck_assert(!elf_find_section(&elf, ".bss", &section));
	ck_assert(!elf_find_section(&elf, ".data", &section));
	ck_assert_uint_eq(elf_memory(&elf), ELF_FILE_TEXT_BYTES);
	file.sections[4].sh_flags = SHF_ALLOC;
	ck_assert_uint_gt(elf_memory(&elf), (uint64_t)1 << 40);
	file.sections[4].sh_size = UINT64_MAX;
	ck_assert_uint_eq(elf_memory(&elf), UINT64_MAX);
}
END_TEST

START_TEST(common_variables_take_memory)
{
	struct elf elf;

	ck_assert(elf_open(&elf, &file, sizeof(file)));
	file.symbols[3].st_shndx = SHN_COMMON;
	file.symbols[3].st_size = 1000;
	ck_assert_uint_eq(elf_memory(&elf), ELF_FILE_TEXT_BYTES + 1000);
	file.symbols[1] = file.symbols[3];
	ck_assert_uint_eq(elf_memory(&elf), ELF_FILE_TEXT_BYTES + 2000);
	file.symbols[1].st_size = UINT64_MAX;
	ck_assert_uint_eq(elf_memory(&elf), UINT64_MAX);
}
END_TEST

static void set_type(void)
{
	file.header.e_type = ET_DYN;
}

static void add_interpreter(void)
{
	file.segments[3].p_type = PT_INTERP;
}

static void add_dynamic(void)
{
	file.segments[3].p_type = PT_DYNAMIC;
}

static void make_stack_executable(void)
{
	file.segments[2].p_flags |= PF_X;
}

static void drop_stack(void)
{
	file.segments[2].p_type = PT_NULL;
}

static void add_second_stack(void)
{
	file.segments[3] = file.segments[2];
}

static void make_text_writable(void)
{
	file.segments[0].p_flags |= PF_W;
}

static void make_data_executable(void)
{
	file.segments[1].p_flags |= PF_X;
}

static void add_second_text(void)
{
	file.segments[3] = file.segments[0];
}

static void drop_text(void)
{
	file.segments[0].p_flags = PF_R;
}

static void enter_data(void)
{
	file.header.e_entry = file.segments[1].p_vaddr;
}

static void enter_before_text(void)
{
	file.header.e_entry = ELF_FILE_TEXT - 1;
}

static void cut_segment(void)
{
	file.segments[1].p_filesz = sizeof(file) + 1;
	file.segments[1].p_memsz = sizeof(file) + 1;
}

static void overflow_segment(void)
{
	file.segments[1].p_offset = UINT64_MAX;
}

static void take_much_memory(void)
{
	file.segments[1].p_memsz = ELF_IMAGE_MAX;
}

static void take_all_memory(void)
{
	file.segments[1].p_memsz = UINT64_MAX;
}

static void lie_far_away(void)
{
	file.segments[1].p_vaddr = UINT64_MAX - 4095;
}

static void lie_at_zero(void)
{
	file.segments[0].p_vaddr = 0;
}

static void lie_between_pages(void)
{
	file.segments[1].p_vaddr += 8;
}

static void lie_upside_down(void)
{
	file.segments[1].p_vaddr = ELF_FILE_TEXT - 0x1000;
}

static void overlap(void)
{
	file.segments[1].p_vaddr = ELF_FILE_TEXT;
}

static const struct {
	void (*change)(void);
	const char *reason;
} refused[] = {
	{take_much_memory, "more than 64 MiB"},
	{take_all_memory, "cannot be loaded"},
	{lie_far_away, "cannot be loaded"},
	{lie_at_zero, "cannot be loaded"},
	{lie_between_pages, "cannot be loaded"},
	{lie_upside_down, "out of order"},
	{overlap, "out of order"},
	{set_type, "not a static executable"},
	{add_interpreter, "interpreter"},
	{add_dynamic, "shared libraries"},
	{make_stack_executable, "stack is executable"},
	{drop_stack, "does not say"},
	{add_second_stack, "does not say"},
	{make_text_writable, "both writable and executable"},
	{make_data_executable, "both writable and executable"},
	{add_second_text, "more than one executable"},
	{drop_text, "more than one executable segment, or none"},
	{enter_data, "outside its code"},
	{enter_before_text, "outside its code"},
	{cut_segment, "not in the file"},
	{overflow_segment, "not in the file"},
};

START_TEST(a_program_that_is_not_to_be_run_is_refused_with_a_reason)
{
	const char *reason;
	struct elf elf;

	refused[_i].change();
	ck_assert(elf_open(&elf, &file, sizeof(file)));
	reason = elf_refuse(&elf);
	ck_assert_ptr_nonnull(reason);
	ck_assert_msg(strstr(reason, refused[_i].reason) != NULL, "%s", reason);
}
END_TEST

static void wrong_magic(void)
{
	file.header.e_ident[0] = 0;
}

static void wrong_class(void)
{
	file.header.e_ident[EI_CLASS] = ELFCLASS32;
}

static void wrong_machine(void)
{
	file.header.e_machine = EM_AARCH64;
}

static void segments_outside(void)
{
	file.header.e_phoff = sizeof(file) - 8;
}

static void sections_outside(void)
{
	file.header.e_shoff = UINT64_MAX - 8;
}

static void many_segments(void)
{
	file.header.e_phnum = 0xffff;
}

/* How many there are then stands in the first of them. */
static void too_many_sections_to_count(void)
{
	file.header.e_shnum = 0;
}

static void symbols_of_another_size(void)
{
	file.sections[2].sh_entsize = 16;
}

static void symbols_outside(void)
{
	file.sections[2].sh_offset = sizeof(file);
}

static void symbols_without_strings(void)
{
	file.sections[2].sh_link = 1;
}

static void two_symbol_tables(void)
{
	file.sections[1] = file.sections[2];
}

static void (*const malformed[])(void) = {wrong_magic, wrong_class,
	wrong_machine, segments_outside, sections_outside, many_segments,
	too_many_sections_to_count, symbols_of_another_size, symbols_outside,
	symbols_without_strings, two_symbol_tables};

START_TEST(a_malformed_file_is_not_opened)
{
	struct elf elf;

	malformed[_i]();
	ck_assert(!elf_open(&elf, &file, sizeof(file)));
}
END_TEST

/* Everything a file can be asked. */
static void ask_all(const void *data, size_t len)
{
	struct elf_section section;
	struct elf_symbol symbol;
	struct elf elf;

	if (!elf_open(&elf, data, len))
		return;
	(void)elf_refuse(&elf);
	for (size_t i = 0; i < elf.n_sections + 2 && i < 100; i++)
		(void)!elf_section(&elf, i, &section);
	for (size_t i = 0; i < elf_n_symbols(&elf) + 2 && i < 1000; i++)
		if (elf_symbol(&elf, i, &symbol))
			ck_assert_uint_lt(strlen(symbol.name), len);
	(void)!elf_find_section(&elf, ".text", &section);
	(void)!elf_find_symbol(&elf, "solve", &symbol);
	(void)!lines_find(&elf, "solve.c", ELF_FILE_SOLVE);
}

START_TEST(a_file_cut_off_anywhere_is_read_within_its_bounds)
{
	for (size_t len = 0; len < sizeof(file); len++) {
		/* A copy of its own, so that a sanitizer sees its end. */
		char *copy = malloc(len + 1);

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, &file, len);
		ask_all(copy, len);
		free(copy);
	}
}
END_TEST

/* A fixed sequence: a failure can be repeated. */
static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245U + 12345U;
	return *state >> 8;
}

static void mutate(unsigned char *data, size_t len, unsigned int *state)
{
	static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
	unsigned int n = 1 + next_random(state) % 6;

	for (unsigned int i = 0; i < n; i++)
		data[next_random(state) % len] = next_random(state) % 2
			? values[next_random(state) % sizeof(values)]
			: (unsigned char)next_random(state);
}

static void mutate_and_ask(const void *data, size_t len, unsigned int rounds)
{
	unsigned int state = 1;
	unsigned char *copy = malloc(len);

	ck_assert_ptr_nonnull(copy);
	for (unsigned int i = 0; i < rounds; i++) {
		memcpy(copy, data, len);
		mutate(copy, len, &state);
		ask_all(copy, len);
	}
	free(copy);
}

START_TEST(mutated_headers_and_tables_are_read_within_their_bounds)
{
	mutate_and_ask(&file, sizeof(file), 20000);
}
END_TEST

/* A compiler's and a linker's own work, and a big one. */
/* Looking at each to its end would take hours. */
START_TEST(many_symbols_of_long_names_are_read_soon)
{
	enum { SYMBOLS = 200000, NAME_BYTES = 16 << 20 };
	const size_t len =
		sizeof(file) + SYMBOLS * sizeof(Elf64_Sym) + NAME_BYTES;
	struct elf_file *big = calloc(1, len);
	Elf64_Sym *symbols = (void *)(big + 1);
	char *names = (char *)(symbols + SYMBOLS);
	struct elf_symbol symbol;
	struct elf elf;

	ck_assert_ptr_nonnull(big);
	elf_file_make(big);
	memset(names, 'a', NAME_BYTES - 1);
	for (size_t i = 0; i < SYMBOLS; i++)
		symbols[i] =
			(Elf64_Sym){.st_name = (Elf64_Word)i, .st_shndx = 1};
	big->sections[2].sh_offset = sizeof(file);
	big->sections[2].sh_size = SYMBOLS * sizeof(Elf64_Sym);
	big->sections[3].sh_offset = (Elf64_Off)((char *)names - (char *)big);
	big->sections[3].sh_size = NAME_BYTES;
	ck_assert(elf_open(&elf, big, len));
	ck_assert_uint_eq(elf_n_symbols(&elf), SYMBOLS);
	ck_assert(!elf_find_symbol(&elf, "solve", &symbol));
	free(big);
}
END_TEST

START_TEST(this_very_program_is_read_within_its_bounds)
{
	struct error err;
	char *data;
	size_t len;

	ck_assert_msg(file_read("/proc/self/exe", 64 << 20, &data, &len, &err),
		"%s", err.message);
	ask_all(data, len);
	free(data);
}
END_TEST

Suite *elf_suite(void)
{
	Suite *suite = suite_create("elf");
	TCase *tcase = tcase_create("elf");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, a_program_of_ours_is_taken);
	tcase_add_test(tcase, symbols_are_found_by_name_globals_before_locals);
	tcase_add_test(tcase, sections_are_found_by_name_and_lie_in_the_file);
	tcase_add_test(tcase, common_variables_take_memory);
	tcase_add_loop_test(tcase,
		a_program_that_is_not_to_be_run_is_refused_with_a_reason, 0,
		sizeof(refused) / sizeof(*refused));
	tcase_add_loop_test(tcase, a_malformed_file_is_not_opened, 0,
		sizeof(malformed) / sizeof(*malformed));
	tcase_add_test(
		tcase, a_file_cut_off_anywhere_is_read_within_its_bounds);
	tcase_add_test(
		tcase, mutated_headers_and_tables_are_read_within_their_bounds);
	tcase_add_test(tcase, many_symbols_of_long_names_are_read_soon);
	tcase_add_test(tcase, this_very_program_is_read_within_its_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}
