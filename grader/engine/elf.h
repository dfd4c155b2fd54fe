/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_ELF_H
#define GRADER_ENGINE_ELF_H

/*
 * Reads 64-bit x86 ELF files, objects and programs, that come from a tool a
 * submission had its hands on.  Every offset is checked; nothing is believed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf {
	const unsigned char *data;
	size_t len;
	uint16_t type; /* ET_REL, ET_EXEC ... */
	uint64_t entry;
	uint64_t segments_at;
	size_t n_segments;
	uint64_t sections_at;
	size_t n_sections;
	size_t names_section;
	size_t symbols_section; /* 0: none */
};

struct elf_section {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t address;
	uint64_t offset; /* in the file; within it unless SHT_NOBITS */
	uint64_t size;
	uint32_t link;
};

struct elf_symbol {
	const char *name;
	uint8_t type;    /* STT_FUNC ... */
	uint8_t binding; /* STB_GLOBAL ... */
	uint16_t section;
	bool defined;
	uint64_t value;
	uint64_t size;
};

/* False for anything that is not a well-formed file of this kind.  The data
   must outlive the struct; names point into it. */
bool elf_open(struct elf *elf, const void *data, size_t len)
	__attribute__((warn_unused_result));

bool elf_section(const struct elf *elf, size_t index, struct elf_section *out)
	__attribute__((warn_unused_result));
/* The first of that name, its bytes within the file. */
bool elf_find_section(const struct elf *elf, const char *name,
	struct elf_section *out) __attribute__((warn_unused_result));

size_t elf_n_symbols(const struct elf *elf);
bool elf_symbol(const struct elf *elf, size_t index, struct elf_symbol *out)
	__attribute__((warn_unused_result));
/* The first defined one of that name; globals and weak ones before locals. */
bool elf_find_symbol(const struct elf *elf, const char *name,
	struct elf_symbol *out) __attribute__((warn_unused_result));

/* What the sections of an object, and its variables that have none yet, take in
   memory. */
uint64_t elf_memory(const struct elf *elf);

/* What a program's code and variables may take, before it has run. */
#define ELF_IMAGE_MAX ((uint64_t)64 << 20)

/*
 * Whether the kernel may be asked to run it, and will: a static executable with
 * neither interpreter nor dynamic section, exactly one executable segment,
 * which is not writable and holds the entry point, a stack that is not
 * executable, and segments where the kernel takes them, at most ELF_IMAGE_MAX
 * from the first to the last byte.  NULL if so, else what is wrong: "it asks
 * for an interpreter".
 */
const char *elf_refuse(const struct elf *elf);

#endif
