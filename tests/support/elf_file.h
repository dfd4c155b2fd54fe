/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ELF_FILE_H
#define TESTS_SUPPORT_ELF_FILE_H

/*
 * A small static program, made by hand so that each of its bytes can be wrong.
 */

#include <elf.h>

enum {
	ELF_FILE_SEGMENTS = 4, /* text, data, stack, one that says nothing */
	ELF_FILE_SECTIONS = 6, /* none, .text, .symtab, .strtab, .bss and
				  .debug_line */
	ELF_FILE_SYMBOLS = 5,
	ELF_FILE_TEXT = 0x401000,
	ELF_FILE_SOLVE = 0x401010, /* where solve is */
	ELF_FILE_TEXT_BYTES = 64,
};

struct elf_file {
	Elf64_Ehdr header;
	Elf64_Phdr segments[ELF_FILE_SEGMENTS];
	Elf64_Shdr sections[ELF_FILE_SECTIONS];
	unsigned char text[ELF_FILE_TEXT_BYTES];
	Elf64_Sym symbols[ELF_FILE_SYMBOLS];
	char strings[80];
	unsigned char lines[80];
};

void elf_file_make(struct elf_file *file);

/* Puts other bytes in the place of its line table. */
void elf_file_set_lines(
	struct elf_file *file, const unsigned char *lines, unsigned int len);

#endif
