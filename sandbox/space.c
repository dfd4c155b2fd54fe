/* SPDX-License-Identifier: MIT */
#include "sandbox/space.h"
#include "base/error.h"
#include "sandbox/protocol.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
	PAGE_BYTES = 4096,
	SLOTS_AT_ONCE = 64,
};

/* The kernel's own pages in each process (vdso), and libc's first ones. */
#define EXTRA_BYTES 0x40000u

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

static bool read_at(int fd, void *to, size_t bytes, uint64_t at,
	const char *what, struct error *err)
{
	ssize_t len = pread(fd, to, bytes, (off_t)at);

	if (len == (ssize_t)bytes)
		return true;
	if (len < 0)
		return error_set_errno(err, "cannot read %s", what);
	return error_set(err, ERROR_SYSTEM, "%s is cut short", what);
}

/* As many segments as the kernel takes: how many there are is the program's
   own to say, and no reason to give no verdict. */
static bool measure_image(int program, uint64_t *bytes, struct error *err)
{
	static const char what[] = "the program";
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (!read_at(program, &header, sizeof(header), 0, what, err))
		return false;
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_phentsize != sizeof(segment))
		return error_set(
			err, ERROR_SYSTEM, "%s is no ELF executable", what);
	for (size_t i = 0; i < header.e_phnum; i++) {
		if (!read_at(program, &segment, sizeof(segment),
			    header.e_phoff + i * sizeof(segment), what, err))
			return false;
		if (segment.p_type == PT_LOAD)
			*bytes += round_up(segment.p_memsz) + PAGE_BYTES;
	}
	return true;
}

static bool measure_plan(int fd, uint64_t *bytes, struct error *err)
{
	static const char what[] = "the plan";
	struct plan_slot slots[SLOTS_AT_ONCE];
	struct plan plan;

	if (!read_at(fd, &plan, sizeof(plan), 0, what, err))
		return false;
	if (plan.magic != PLAN_MAGIC)
		return error_set(err, ERROR_SYSTEM, "%s is none", what);
	*bytes += PAGE_BYTES + round_up(plan.bytes) +
		round_up(plan.outputs_bytes);
	for (uint32_t i = 0; i < plan.n_slots; i++) {
		const struct plan_slot *slot = &slots[i % SLOTS_AT_ONCE];
		size_t n = plan.n_slots - i;

		if (n > SLOTS_AT_ONCE)
			n = SLOTS_AT_ONCE;
		if (i % SLOTS_AT_ONCE == 0 &&
			!read_at(fd, slots, n * sizeof(*slot),
				plan.slots_at + i * sizeof(*slot), what, err))
			return false;
		*bytes += slot->bytes;
		if (slot->writable_address != slot->address)
			*bytes += slot->bytes;
	}
	return true;
}

bool space_measure(
	int program, int plan, uint64_t *bytes_out, struct error *err)
{
	uint64_t bytes = EXTRA_BYTES;

	if (!measure_image(program, &bytes, err) ||
		!measure_plan(plan, &bytes, err))
		return false;
	*bytes_out = bytes;
	return true;
}
