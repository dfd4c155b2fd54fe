/* SPDX-License-Identifier: MIT */

/*
 * Whatever as or ld left: read all that there is in it, say what is wrong with
 * the functions of an object, take it for a program, look lines up in it.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/diagnostics.h"
#include "grader/engine/elf.h"
#include "grader/engine/lines.h"
#include "grader/engine/program.h"
#include "grader/engine/signature.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/sample.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char source[] = "void solve(void)\n{\n}\n";

static void check_within(const struct elf *elf, const char *string)
{
	const char *start = (const char *)elf->data;

	assert(string >= start && string < start + elf->len);
	assert(strlen(string) < (size_t)(start + elf->len - string));
}

static void read_sections(const struct elf *elf)
{
	struct elf_section section, again;

	assert(!elf_section(elf, elf->n_sections, &section));
	for (size_t i = 0; i < elf->n_sections; i++) {
		if (!elf_section(elf, i, &section))
			continue;
		check_within(elf, section.name);
		if (section.type == SHT_NOBITS)
			continue;
		assert(section.offset <= elf->len);
		assert(section.size <= elf->len - section.offset);
		if (i == 0)
			continue;
		assert(elf_find_section(elf, section.name, &again));
		assert(strcmp(again.name, section.name) == 0);
		assert(again.size <= elf->len);
	}
}

/* Names are looked up among all symbols, so of many only some are. */
static void read_symbols(const struct elf *elf)
{
	size_t count = elf_n_symbols(elf);
	struct elf_symbol symbol, again;

	assert(!elf_symbol(elf, count, &symbol));
	for (size_t i = 0; i < count; i++) {
		if (!elf_symbol(elf, i, &symbol))
			continue;
		check_within(elf, symbol.name);
		assert(symbol.defined == (symbol.section != SHN_UNDEF));
		if (i > 64 || !symbol.defined || symbol.type == STT_SECTION ||
			symbol.type == STT_FILE)
			continue;
		assert(elf_find_symbol(elf, symbol.name, &again));
		assert(again.defined && strcmp(again.name, symbol.name) == 0);
		/* A local one never hides a global one. */
		assert(symbol.binding == STB_LOCAL ||
			again.binding != STB_LOCAL);
	}
}

/* What elf.h says of a program that is not refused. */
static void check_program(const struct elf *elf)
{
	uint64_t first = UINT64_MAX, last = 0;
	size_t n_code = 0;

	assert(elf->type == ET_EXEC);
	for (size_t i = 0; i < elf->n_segments; i++) {
		Elf64_Phdr segment;

		memcpy(&segment,
			elf->data + elf->segments_at + i * sizeof(segment),
			sizeof(segment));
		assert(segment.p_type != PT_INTERP);
		assert(segment.p_type != PT_DYNAMIC);
		assert(segment.p_type != PT_GNU_STACK ||
			!(segment.p_flags & PF_X));
		if (segment.p_type != PT_LOAD)
			continue;
		assert(segment.p_filesz <= elf->len &&
			segment.p_offset <= elf->len - segment.p_filesz);
		first = segment.p_vaddr < first ? segment.p_vaddr : first;
		assert(segment.p_vaddr + segment.p_memsz >= last);
		last = segment.p_vaddr + segment.p_memsz;
		if (!(segment.p_flags & PF_X))
			continue;
		n_code++;
		assert(!(segment.p_flags & PF_W));
		assert(elf->entry >= segment.p_vaddr &&
			elf->entry - segment.p_vaddr < segment.p_filesz);
	}
	assert(n_code == 1 && last - first <= ELF_IMAGE_MAX);
}

static void check_object(const struct elf *elf, struct arena *arena)
{
	const struct build_request request = {
		.functions = sample_function(), .n_functions = 1};
	struct source_file file =
		source_file_of("solve.c", source, sizeof(source) - 1);
	struct diagnostic_list list;
	struct elf_symbol solve;
	struct error err = {0};
	bool good, expected;

	assert(diagnostic_list_init(&list, &file, arena, &err));
	assert(signature_check_object(&list, elf, &request, &good, &err));
	expected = elf_find_symbol(elf, "solve", &solve) &&
		solve.type == STT_FUNC && solve.binding == STB_GLOBAL;
	assert(good == expected && good == (list.n_own == 0));
	assert(list.n_own == list.count && list.count <= 2);
	for (size_t i = 0; i < list.count; i++)
		assert(list.items[i].line == 0 && list.items[i].message[0]);
}

static void load(const struct elf *elf, const void *data, size_t len)
{
	const struct build_request request = {
		.functions = sample_function(), .n_functions = 1};
	struct program program = {.fd = -1};
	const char *refused = NULL;
	struct error err = {0};
	struct elf_symbol exit;

	if (!program_load(data, len, &request, &program, &refused, &err)) {
		assert(!elf_find_symbol(elf, "grader_exit_return", &exit));
		assert(err.kind == ERROR_SYSTEM && err.message[0]);
		return;
	}
	if (refused) {
		assert(program.fd == -1 && refused[0]);
		return;
	}
	assert(program.fd >= 0);
	check_program(elf);
	program_finish(&program);
}

static void look_up(const struct elf *elf)
{
	struct elf_section lines;
	const uint64_t places[] = {elf->entry, elf->entry + 1, 0x401010, 0};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		int line = lines_find(elf, "solve.c", places[i]);

		assert(line >= 0);
		if (line == 0)
			continue;
		assert(elf_find_section(elf, ".debug_line", &lines));
		assert(memmem(elf->data + lines.offset, lines.size, "solve.c",
			sizeof("solve.c")));
	}
}

int fuzz_elf(const unsigned char *data, size_t size)
{
	unsigned char *copy = fuzz_copy(data, size);
	struct error err = {0};
	struct arena *arena = arena_create(&err);
	struct elf elf;

	assert(arena);
	if (elf_open(&elf, copy, size)) {
		read_sections(&elf);
		read_symbols(&elf);
		(void)elf_memory(&elf);
		if (!elf_refuse(&elf))
			check_program(&elf);
		check_object(&elf, arena);
		load(&elf, copy, size);
		look_up(&elf);
	}
	arena_destroy(arena);
	free(copy);
	return 0;
}

FUZZ_ENTRY(elf)
