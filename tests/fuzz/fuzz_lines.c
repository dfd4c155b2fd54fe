/* SPDX-License-Identifier: MIT */

/*
 * Whatever stands in .debug_line: the first two bytes say which address is
 * sought, as an offset, and the rest is the section.
 */

#include "grader/engine/elf.h"
#include "grader/engine/lines.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char names[] = "\0.debug_line";

struct file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[sizeof(names)];
};

/* The table is the file's last part, so that reading on shows. */
static struct file *make_file(const void *table, size_t len)
{
	struct file *file = malloc(sizeof(*file) + len);

	assert(file);
	*file = (struct file){
		.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				   ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_shoff = offsetof(struct file, sections),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 1},
		.sections = {{0},
			{.sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct file, names),
				.sh_size = sizeof(names)},
			{.sh_name = 1,
				.sh_type = SHT_PROGBITS,
				.sh_offset = sizeof(*file),
				.sh_size = len}},
	};
	memcpy(file->names, names, sizeof(names));
	if (len > 0)
		memcpy(file + 1, table, len);
	return file;
}

/* A table that gives the lines 7 and 8 to eight bytes each from here on. */
enum { GOOD_ADDRESS = 0x700000 };

static const unsigned char good[] = {
	/* length, version 4, header length; step 1, operations 1, is_stmt,
	   base -5, range 14, first special 13 */
	61, 0, 0, 0, 4, 0, 31, 0, 0, 0, 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0,
	0, 0, 1, 0, 0, 1,
	/* no folders; one file */
	0, 's', 'o', 'l', 'v', 'e', '.', 'c', 0, 0, 0, 0, 0,
	/* address, line 7; + 8: line 8; + 8: its end */
	0, 9, 2, 0, 0, 0x70, 0, 0, 0, 0, 0, 3, 6, 1, 2, 8, 3, 1, 1, 2, 8, 0, 1,
	1};

/* Behind a table that is well framed another one is found as it is alone. */
static void check_good_behind(const unsigned char *table, size_t len)
{
	size_t size = len + sizeof(good);
	unsigned char *both = malloc(size);
	struct file *file;
	struct elf elf;
	size_t at = 0;
	int line;

	assert(both);
	while (len - at >= 4) {
		uint32_t unit;

		memcpy(&unit, table + at, sizeof(unit));
		if (unit > len - at - 4)
			break;
		at += 4 + unit;
	}
	memcpy(both, table, len);
	memcpy(both + at, good, sizeof(good));
	file = make_file(both, at + sizeof(good));
	assert(elf_open(&elf, file, sizeof(*file) + at + sizeof(good)));
	line = lines_find(&elf, "solve.c", GOOD_ADDRESS + 9);
	file->sections[2].sh_size = at;
	assert(elf_open(&elf, file, sizeof(*file) + at));
	/* Unless the one in front claims the address, too. */
	assert(line == 8 ||
		line == lines_find(&elf, "solve.c", GOOD_ADDRESS + 9));
	assert(line > 0);
	free(file);
	free(both);
}

int fuzz_lines(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	uint64_t address = 0x401000 + fuzz_number(&input, 2);
	struct file *file = make_file(input.data, input.len);
	struct elf elf;
	int line;

	assert(elf_open(&elf, file, sizeof(*file) + input.len));
	line = lines_find(&elf, "solve.c", address);
	assert(line >= 0);
	assert(line == lines_find(&elf, "solve.c", address));
	/* A line is that of a file which the table names. */
	if (line > 0)
		assert(memmem(
			input.data, input.len, "solve.c", sizeof("solve.c")));
	if (!memmem(input.data, input.len, "solve.h", sizeof("solve.h")))
		assert(lines_find(&elf, "solve.h", address) == 0);
	check_good_behind(input.data, input.len);
	free(file);
	return 0;
}

FUZZ_ENTRY(lines)
