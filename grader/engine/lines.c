/* SPDX-License-Identifier: MIT */
#include "grader/engine/lines.h"

#include "grader/engine/elf.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
	FILES_MAX = 64,
	/* Of a source of 1 MiB it is less; more is there to keep us busy. */
	TABLE_BYTES_MAX = 4 << 20,
};

/* Reads on past the end give zeros, and bad stays set. */
struct bytes {
	const unsigned char *data;
	size_t len;
	bool bad;
};

static uint64_t take(struct bytes *bytes, size_t n)
{
	uint64_t value = 0;

	if (n > bytes->len) {
		bytes->bad = true;
		bytes->len = 0;
		return 0;
	}
	for (size_t i = 0; i < n && i < 8; i++)
		value |= (uint64_t)bytes->data[i] << 8 * i;
	bytes->data += n;
	bytes->len -= n;
	return value;
}

/* LEB128: seven bits a byte, the least first.  *shift_out: how many came. */
static uint64_t take_bits(
	struct bytes *bytes, unsigned int *shift_out, unsigned char *last_out)
{
	uint64_t value = 0;
	unsigned char byte;
	unsigned int shift = 0;

	do {
		byte = (unsigned char)take(bytes, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*shift_out = shift;
	*last_out = byte;
	return value;
}

static uint64_t take_unsigned(struct bytes *bytes)
{
	unsigned int shift;
	unsigned char last;

	return take_bits(bytes, &shift, &last);
}

static int64_t take_signed(struct bytes *bytes)
{
	unsigned int shift;
	unsigned char last;
	uint64_t value = take_bits(bytes, &shift, &last);

	if (shift < 64 && last & 0x40)
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

static const char *take_string(struct bytes *bytes)
{
	const char *string = (const char *)bytes->data;
	const void *end =
		bytes->len > 0 ? memchr(string, '\0', bytes->len) : NULL;

	if (!end) {
		bytes->bad = true;
		bytes->len = 0;
		return "";
	}
	take(bytes, (size_t)((const char *)end - string) + 1);
	return string;
}

/* One unit's table: what its header says, and the state of its machine. */
struct table {
	unsigned int minimum_step;
	int line_base;
	unsigned int line_range;
	unsigned int opcode_base;
	unsigned char operands[256];
	bool is_wanted[FILES_MAX]; /* per file, from 1 */

	uint64_t address;
	int64_t line;
	uint64_t file;

	/* The row before, if there is one in this sequence. */
	bool has_row;
	uint64_t row_address;
	int64_t row_line;
	uint64_t row_file;

	uint64_t sought;
	int found;
};

static void reset(struct table *table)
{
	table->address = 0;
	table->line = 1;
	table->file = 1;
	table->has_row = false;
}

/* A row holds from its address up to the next one's. */
static void add_row(struct table *table)
{
	if (table->has_row && table->row_address <= table->sought &&
		table->sought < table->address && table->row_line > 0 &&
		table->row_line < INT_MAX && table->row_file < FILES_MAX &&
		table->is_wanted[table->row_file])
		table->found = (int)table->row_line;
	table->has_row = true;
	table->row_address = table->address;
	table->row_line = table->line;
	table->row_file = table->file;
}

static void add_to_line(struct table *table, int64_t step)
{
	/* Of forged tables only: no line is that far away. */
	if (step < INT_MIN || step > INT_MAX || table->line < INT_MIN ||
		table->line > INT_MAX)
		return;
	table->line += step;
}

static bool read_header(
	struct table *table, struct bytes *unit, const char *file)
{
	uint64_t version = take(unit, 2);
	uint64_t header_len = take(unit, 4);
	struct bytes header = *unit;
	int base; /* a signed byte */

	if (version < 2 || version > 4 || header_len > unit->len)
		return false;
	header.len = (size_t)header_len;
	take(unit, (size_t)header_len);
	table->minimum_step = (unsigned int)take(&header, 1);
	take(&header, version == 4 ? 2 : 1);
	base = (int)take(&header, 1);
	table->line_base = base < 128 ? base : base - 256;
	table->line_range = (unsigned int)take(&header, 1);
	table->opcode_base = (unsigned int)take(&header, 1);
	if (table->line_range == 0 || table->opcode_base == 0)
		return false;
	for (unsigned int i = 1; i < table->opcode_base; i++)
		table->operands[i] = (unsigned char)take(&header, 1);
	while (*take_string(&header))
		; /* folders */
	for (size_t i = 1; header.len > 0; i++) {
		const char *name = take_string(&header);

		if (!*name)
			break;
		take_unsigned(&header);
		take_unsigned(&header);
		take_unsigned(&header);
		if (i < FILES_MAX)
			table->is_wanted[i] = strcmp(name, file) == 0;
	}
	return !header.bad;
}

enum {
	EXTENDED_END = 1,
	EXTENDED_ADDRESS = 2,
};

static void run_extended(struct table *table, struct bytes *program)
{
	uint64_t len = take_unsigned(program);
	struct bytes operands = *program;
	uint64_t opcode;

	if (len == 0 || len > program->len) {
		program->bad = true;
		program->len = 0;
		return;
	}
	operands.len = (size_t)len;
	take(program, (size_t)len);
	opcode = take(&operands, 1);
	if (opcode == EXTENDED_ADDRESS) {
		table->address = take(&operands, 8);
	} else if (opcode == EXTENDED_END) {
		add_row(table);
		reset(table);
	}
}

enum {
	OPCODE_COPY = 1,
	OPCODE_ADVANCE_PC = 2,
	OPCODE_ADVANCE_LINE = 3,
	OPCODE_SET_FILE = 4,
	OPCODE_CONST_ADD_PC = 8,
	OPCODE_FIXED_ADVANCE_PC = 9,
};

static void run_standard(
	struct table *table, struct bytes *program, unsigned int opcode)
{
	switch (opcode) {
	case OPCODE_COPY:
		add_row(table);
		break;
	case OPCODE_ADVANCE_PC:
		table->address += take_unsigned(program) * table->minimum_step;
		break;
	case OPCODE_ADVANCE_LINE:
		add_to_line(table, take_signed(program));
		break;
	case OPCODE_SET_FILE:
		table->file = take_unsigned(program);
		break;
	case OPCODE_CONST_ADD_PC:
		table->address += (uint64_t)table->minimum_step *
			((255 - table->opcode_base) / table->line_range);
		break;
	case OPCODE_FIXED_ADVANCE_PC:
		table->address += take(program, 2);
		break;
	default: /* of no use here, or unknown: it says how long it is */
		for (unsigned int i = 0; i < table->operands[opcode]; i++)
			take_unsigned(program);
	}
}

static void run_special(struct table *table, unsigned int opcode)
{
	unsigned int step = opcode - table->opcode_base;

	table->address +=
		(uint64_t)table->minimum_step * (step / table->line_range);
	add_to_line(
		table, table->line_base + (int64_t)(step % table->line_range));
	add_row(table);
}

static int find_in_unit(struct bytes *unit, const char *file, uint64_t address)
{
	struct table table = {.sought = address};

	if (!read_header(&table, unit, file))
		return 0;
	reset(&table);
	while (unit->len > 0 && !table.found) {
		unsigned int opcode = (unsigned int)take(unit, 1);

		if (opcode >= table.opcode_base)
			run_special(&table, opcode);
		else if (opcode > 0)
			run_standard(&table, unit, opcode);
		else
			run_extended(&table, unit);
	}
	return table.found;
}

int lines_find(const struct elf *elf, const char *file, uint64_t address)
{
	struct elf_section section;
	struct bytes all = {0};
	int line = 0;

	if (!elf_find_section(elf, ".debug_line", &section) ||
		section.size > TABLE_BYTES_MAX)
		return 0;
	all.data = elf->data + section.offset;
	all.len = (size_t)section.size;
	while (all.len > 0 && line == 0) {
		uint64_t len = take(&all, 4);
		struct bytes unit = all;

		/* The 64-bit format has 0xffffffff there; nobody writes it. */
		if (len > all.len)
			break;
		unit.len = (size_t)len;
		take(&all, (size_t)len);
		line = find_in_unit(&unit, file, address);
	}
	return line;
}
