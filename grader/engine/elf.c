/* SPDX-License-Identifier: MIT */
#include "grader/engine/elf.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

enum {
	SEGMENTS_MAX = 64,
	SECTIONS_MAX = 16384,
	SYMBOLS_MAX = 1 << 20,
	PAGE_BYTES = 4096,
	/* A million symbols can all be ends of one name of megabytes. */
	NAME_BYTES_MAX = 4096,
};

/* Where a program may lie: above what no process can map, and far below all
   that the runner maps. */
#define ADDRESS_MIN ((uint64_t)0x10000)
#define ADDRESS_MAX ((uint64_t)1 << 40)

static bool within(const struct elf *elf, uint64_t at, uint64_t len)
{
	return at <= elf->len && len <= elf->len - at;
}

static bool table_within(
	const struct elf *elf, uint64_t at, size_t count, size_t size)
{
	return within(elf, at, (uint64_t)count * size);
}

/* Tables need not be aligned in a file, so they are copied out. */
static bool section_header(const struct elf *elf, size_t index, Elf64_Shdr *out)
{
	if (index >= elf->n_sections)
		return false;
	memcpy(out, elf->data + elf->sections_at + index * sizeof(*out),
		sizeof(*out));
	return true;
}

/* A string of a string table, or NULL if it has no end there, or is longer than
   any name that is looked for. */
static const char *string_at(
	const struct elf *elf, const Elf64_Shdr *table, uint64_t at)
{
	uint64_t most = table->sh_size - at;
	const char *string;

	if (table->sh_type != SHT_STRTAB || at >= table->sh_size ||
		!within(elf, table->sh_offset, table->sh_size))
		return NULL;
	string = (const char *)elf->data + table->sh_offset + at;
	if (!memchr(string, '\0',
		    most < NAME_BYTES_MAX ? most : NAME_BYTES_MAX))
		return NULL;
	return string;
}

static bool symbols_are_sound(const struct elf *elf, const Elf64_Shdr *header)
{
	Elf64_Shdr strings;

	return header->sh_entsize == sizeof(Elf64_Sym) &&
		header->sh_size % sizeof(Elf64_Sym) == 0 &&
		header->sh_size / sizeof(Elf64_Sym) <= SYMBOLS_MAX &&
		within(elf, header->sh_offset, header->sh_size) &&
		section_header(elf, header->sh_link, &strings) &&
		strings.sh_type == SHT_STRTAB;
}

static bool find_symbols(struct elf *elf)
{
	for (size_t i = 1; i < elf->n_sections; i++) {
		Elf64_Shdr header;

		if (!section_header(elf, i, &header))
			return false;
		if (header.sh_type != SHT_SYMTAB)
			continue;
		if (elf->symbols_section || !symbols_are_sound(elf, &header))
			return false;
		elf->symbols_section = i;
	}
	return true;
}

static bool header_is_ours(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
		header->e_ident[EI_CLASS] == ELFCLASS64 &&
		header->e_ident[EI_DATA] == ELFDATA2LSB &&
		header->e_ident[EI_VERSION] == EV_CURRENT &&
		header->e_machine == EM_X86_64 &&
		header->e_ehsize == sizeof(Elf64_Ehdr) &&
		(header->e_phnum == 0 ||
			header->e_phentsize == sizeof(Elf64_Phdr)) &&
		(header->e_shnum == 0 ||
			header->e_shentsize == sizeof(Elf64_Shdr));
}

bool elf_open(struct elf *elf, const void *data, size_t len)
{
	struct elf found = {.data = data, .len = len};
	Elf64_Ehdr header;

	if (len < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	/* Counts that do not fit are kept elsewhere, and these are 0 or the
	   highest number there is; no need of ours. */
	if (!header_is_ours(&header) || header.e_phnum > SEGMENTS_MAX ||
		header.e_shnum > SECTIONS_MAX ||
		(header.e_shnum == 0 && header.e_shoff != 0) ||
		!table_within(&found, header.e_phoff, header.e_phnum,
			sizeof(Elf64_Phdr)) ||
		!table_within(&found, header.e_shoff, header.e_shnum,
			sizeof(Elf64_Shdr)))
		return false;
	found.type = header.e_type;
	found.entry = header.e_entry;
	found.segments_at = header.e_phoff;
	found.n_segments = header.e_phnum;
	found.sections_at = header.e_shoff;
	found.n_sections = header.e_shnum;
	found.names_section = header.e_shstrndx;
	if (!find_symbols(&found))
		return false;
	*elf = found;
	return true;
}

bool elf_section(const struct elf *elf, size_t index, struct elf_section *out)
{
	Elf64_Shdr header, names;
	const char *name;

	if (!section_header(elf, index, &header) ||
		!section_header(elf, elf->names_section, &names))
		return false;
	name = string_at(elf, &names, header.sh_name);
	if (!name ||
		(header.sh_type != SHT_NOBITS &&
			!within(elf, header.sh_offset, header.sh_size)))
		return false;
	*out = (struct elf_section){
		.name = name,
		.type = header.sh_type,
		.flags = header.sh_flags,
		.address = header.sh_addr,
		.offset = header.sh_offset,
		.size = header.sh_size,
		.link = header.sh_link,
	};
	return true;
}

bool elf_find_section(
	const struct elf *elf, const char *name, struct elf_section *out)
{
	struct elf_section section;

	for (size_t i = 1; i < elf->n_sections; i++) {
		if (!elf_section(elf, i, &section) ||
			section.type == SHT_NOBITS ||
			strcmp(section.name, name) != 0)
			continue;
		*out = section;
		return true;
	}
	return false;
}

size_t elf_n_symbols(const struct elf *elf)
{
	Elf64_Shdr header;

	if (!elf->symbols_section ||
		!section_header(elf, elf->symbols_section, &header))
		return 0;
	return header.sh_size / sizeof(Elf64_Sym);
}

bool elf_symbol(const struct elf *elf, size_t index, struct elf_symbol *out)
{
	Elf64_Shdr header, strings;
	Elf64_Sym symbol;
	const char *name;

	if (index >= elf_n_symbols(elf) ||
		!section_header(elf, elf->symbols_section, &header) ||
		!section_header(elf, header.sh_link, &strings))
		return false;
	memcpy(&symbol, elf->data + header.sh_offset + index * sizeof(symbol),
		sizeof(symbol));
	name = string_at(elf, &strings, symbol.st_name);
	if (!name)
		return false;
	*out = (struct elf_symbol){
		.name = name,
		.type = ELF64_ST_TYPE(symbol.st_info),
		.binding = ELF64_ST_BIND(symbol.st_info),
		.section = symbol.st_shndx,
		.defined = symbol.st_shndx != SHN_UNDEF,
		.value = symbol.st_value,
		.size = symbol.st_size,
	};
	return true;
}

bool elf_find_symbol(
	const struct elf *elf, const char *name, struct elf_symbol *out)
{
	size_t count = elf_n_symbols(elf);
	struct elf_symbol symbol;
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (!elf_symbol(elf, i, &symbol) || !symbol.defined ||
			symbol.type == STT_SECTION || symbol.type == STT_FILE ||
			strcmp(symbol.name, name) != 0)
			continue;
		if (symbol.binding == STB_LOCAL && found)
			continue;
		*out = symbol;
		found = true;
		if (symbol.binding != STB_LOCAL)
			return true;
	}
	return found;
}

/* Variables that have no section yet: the linker makes room for them. */
static bool add_common(const struct elf *elf, uint64_t *bytes)
{
	size_t count = elf_n_symbols(elf);

	for (size_t i = 0; i < count; i++) {
		struct elf_symbol symbol;

		if (elf_symbol(elf, i, &symbol) &&
			symbol.section == SHN_COMMON &&
			__builtin_add_overflow(*bytes, symbol.size, bytes))
			return false;
	}
	return true;
}

uint64_t elf_memory(const struct elf *elf)
{
	uint64_t bytes = 0;

	for (size_t i = 1; i < elf->n_sections; i++) {
		Elf64_Shdr header;

		if (!section_header(elf, i, &header) ||
			!(header.sh_flags & SHF_ALLOC))
			continue;
		if (__builtin_add_overflow(bytes, header.sh_size, &bytes))
			return UINT64_MAX;
	}
	return add_common(elf, &bytes) ? bytes : UINT64_MAX;
}

/* What a loaded segment has wrong with it, or NULL. */
static const char *refuse_load(const struct elf *elf, const Elf64_Phdr *segment)
{
	if (!within(elf, segment->p_offset, segment->p_filesz) ||
		segment->p_memsz < segment->p_filesz)
		return "one of its segments is not in the file";
	if (segment->p_vaddr < ADDRESS_MIN || segment->p_vaddr > ADDRESS_MAX ||
		segment->p_memsz > ADDRESS_MAX ||
		(segment->p_vaddr - segment->p_offset) % PAGE_BYTES != 0)
		return "one of its segments cannot be loaded";
	if (segment->p_flags & PF_X && segment->p_flags & PF_W)
		return "it has memory that is both writable and executable";
	return NULL;
}

/* What any segment has wrong with it, or NULL. */
static const char *refuse_segment(
	const struct elf *elf, const Elf64_Phdr *segment)
{
	switch (segment->p_type) {
	case PT_INTERP:
		return "it asks for an interpreter";
	case PT_DYNAMIC:
		return "it asks for shared libraries";
	case PT_GNU_STACK:
		return segment->p_flags & PF_X ? "its stack is executable"
					       : NULL;
	case PT_LOAD:
		return refuse_load(elf, segment);
	default:
		return NULL;
	}
}

/* What the segments are together. */
struct image {
	size_t n_loaded;
	size_t n_executable;
	size_t n_stack;
	uint64_t start, end; /* of all that is loaded */
	bool in_order;
	bool entered; /* the entry point is in the code */
};

static void add_segment(
	const struct elf *elf, struct image *image, const Elf64_Phdr *segment)
{
	image->n_stack += segment->p_type == PT_GNU_STACK;
	if (segment->p_type != PT_LOAD)
		return;
	if (image->n_loaded++ == 0)
		image->start = segment->p_vaddr;
	image->in_order &= segment->p_vaddr >= image->end;
	image->end = segment->p_vaddr + segment->p_memsz;
	if (!(segment->p_flags & PF_X))
		return;
	image->n_executable++;
	image->entered = elf->entry - segment->p_vaddr < segment->p_filesz;
}

static const char *refuse_image(const struct image *image)
{
	if (image->n_executable != 1)
		return "it has more than one executable segment, or none";
	if (!image->entered)
		return "it starts outside its code";
	if (image->n_stack != 1)
		return "it does not say that its stack is not executable";
	if (!image->in_order)
		return "its segments are out of order";
	if (image->end - image->start > ELF_IMAGE_MAX)
		return "its variables take more than 64 MiB";
	return NULL;
}

static_assert(ELF_IMAGE_MAX == 64 << 20, "a sentence names the limit");

const char *elf_refuse(const struct elf *elf)
{
	struct image image = {.in_order = true};

	if (elf->type != ET_EXEC)
		return "it is not a static executable";
	for (size_t i = 0; i < elf->n_segments; i++) {
		Elf64_Phdr segment;
		const char *refused;

		memcpy(&segment,
			elf->data + elf->segments_at + i * sizeof(segment),
			sizeof(segment));
		refused = refuse_segment(elf, &segment);
		if (refused)
			return refused;
		add_segment(elf, &image, &segment);
	}
	return refuse_image(&image);
}
