/* SPDX-License-Identifier: MIT */
#include "tests/support/elf_file.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Names of symbols and sections, one behind the other. */
static const char strings[] = "\0solve\0hidden\0puts\0"
			      ".text\0.symtab\0.strtab\0.bss\0.debug_line";

static Elf64_Word string_at(const char *string)
{
	const char *found =
		memmem(strings, sizeof(strings), string, strlen(string) + 1);

	assert(found);
	return (Elf64_Word)(found - strings);
}

static void set_header(struct elf_file *file)
{
	file->header = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_entry = ELF_FILE_TEXT,
		.e_phoff = offsetof(struct elf_file, segments),
		.e_shoff = offsetof(struct elf_file, sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = ELF_FILE_SEGMENTS,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = ELF_FILE_SECTIONS,
		.e_shstrndx = 3,
	};
}

/* Their bytes are the file's first: which ones is no matter here. */
static void set_segments(struct elf_file *file)
{
	file->segments[0] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_vaddr = ELF_FILE_TEXT,
		.p_filesz = ELF_FILE_TEXT_BYTES,
		.p_memsz = ELF_FILE_TEXT_BYTES,
	};
	file->segments[1] = (Elf64_Phdr){
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_vaddr = ELF_FILE_TEXT + 0x1000,
		.p_filesz = sizeof(file->strings),
		.p_memsz = 4096,
	};
	file->segments[2] = (Elf64_Phdr){
		.p_type = PT_GNU_STACK,
		.p_flags = PF_R | PF_W,
	};
}

static void set_sections(struct elf_file *file)
{
	file->sections[1] = (Elf64_Shdr){
		.sh_name = string_at(".text"),
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_addr = ELF_FILE_TEXT,
		.sh_offset = offsetof(struct elf_file, text),
		.sh_size = ELF_FILE_TEXT_BYTES,
	};
	file->sections[2] = (Elf64_Shdr){
		.sh_name = string_at(".symtab"),
		.sh_type = SHT_SYMTAB,
		.sh_offset = offsetof(struct elf_file, symbols),
		.sh_size = sizeof(file->symbols),
		.sh_entsize = sizeof(Elf64_Sym),
		.sh_link = 3,
	};
	file->sections[3] = (Elf64_Shdr){
		.sh_name = string_at(".strtab"),
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct elf_file, strings),
		.sh_size = sizeof(strings),
	};
	file->sections[4] = (Elf64_Shdr){
		.sh_name = string_at(".bss"),
		.sh_type = SHT_NOBITS,
		.sh_size = (Elf64_Xword)1 << 40,
	};
	file->sections[5] = (Elf64_Shdr){
		.sh_name = string_at(".debug_line"),
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct elf_file, lines),
	};
}

static void set_symbols(struct elf_file *file)
{
	file->symbols[1] = (Elf64_Sym){
		.st_name = string_at("solve"),
		.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
		.st_shndx = 1,
		.st_value = 1,
	};
	file->symbols[2] = (Elf64_Sym){
		.st_name = string_at("hidden"),
		.st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
		.st_shndx = 1,
		.st_value = ELF_FILE_TEXT,
	};
	file->symbols[3] = (Elf64_Sym){
		.st_name = string_at("puts"),
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
	};
	file->symbols[4] = (Elf64_Sym){
		.st_name = string_at("solve"),
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = 1,
		.st_value = ELF_FILE_SOLVE,
		.st_size = 16,
	};
}

void elf_file_make(struct elf_file *file)
{
	static const unsigned char lines[] = {
		/* length, version 3, header length */
		60, 0, 0, 0, 3, 0, 30, 0, 0, 0,
		/* step 1, is_stmt, base -5, range 14, first special 13 */
		1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1,
		/* no folders; one file */
		0, 's', 'o', 'l', 'v', 'e', '.', 'c', 0, 0, 0, 0, 0,
		/* address, line 8 */
		0, 9, 2, 0x00, 0x10, 0x40, 0, 0, 0, 0, 0, 3, 7, 1,
		/* + 16: line 9; + 16: its end */
		2, 16, 3, 1, 1, 2, 16, 0, 1, 1};

	memset(file, 0, sizeof(*file));
	set_header(file);
	set_segments(file);
	set_sections(file);
	set_symbols(file);
	memcpy(file->strings, strings, sizeof(strings));
	elf_file_set_lines(file, lines, sizeof(lines));
}

void elf_file_set_lines(
	struct elf_file *file, const unsigned char *lines, unsigned int len)
{
	assert(len <= sizeof(file->lines));
	memset(file->lines, 0, sizeof(file->lines));
	memcpy(file->lines, lines, len);
	file->sections[5].sh_size = len;
}
