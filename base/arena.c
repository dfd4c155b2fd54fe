/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * Small requests share a block; one larger than a quarter of it gets its own.
 * An arena that outgrows its first block is given huge ones: asking the kernel
 * for 512 pages one by one, as they are written to, is the dearer half of
 * grading many small cases.
 */
#define BLOCK_BYTES ((size_t)64 << 10)
#define HUGE_PAGE ((size_t)2 << 20)
#define ALIGNMENT ((size_t)16)

struct block {
	struct block *next;
	size_t size;
	size_t used;
	unsigned char *data;
	_Alignas(ALIGNMENT) unsigned char memory[];
};

struct arena {
	struct block *blocks; /* the one in use first */
};

struct arena *arena_create(struct error *err)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (!arena)
		(void)error_set_errno(err, "cannot get memory");
	return arena;
}

void arena_destroy(struct arena *arena)
{
	struct block *block = arena ? arena->blocks : NULL;

	while (block) {
		struct block *next = block->next;

		free(block);
		block = next;
	}
	free(arena);
}

static struct block *make_block(size_t size)
{
	struct block *block = NULL;

	if (size <= SIZE_MAX - sizeof(*block))
		block = calloc(1, sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	block->data = block->memory;
	return block;
}

/*
 * A huge page somewhere in a piece of twice its size, the rest of which is
 * never touched.  The advice only saves time: a kernel may not follow it.
 */
static struct block *make_huge_block(void)
{
	struct block *block = make_block(2 * HUGE_PAGE);
	uintptr_t memory, start;

	if (!block)
		return NULL;
	memory = (uintptr_t)block->memory;
	start = (memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	block->data += start - memory;
	block->size = HUGE_PAGE;
	(void)madvise(block->data, block->size, MADV_HUGEPAGE);
	return block;
}

static struct block *add_block(
	struct arena *arena, size_t bytes, struct error *err)
{
	bool own = bytes > (arena->blocks ? HUGE_PAGE : BLOCK_BYTES) / 4;
	struct block *block = own ? make_block(bytes)
		: arena->blocks   ? make_huge_block()
				  : make_block(BLOCK_BYTES);

	if (!block) {
		(void)error_set(err, ERROR_SYSTEM,
			"cannot get %zu bytes of memory", bytes);
		return NULL;
	}
	/* A block of its own leaves the shared one in front. */
	if (arena->blocks && own) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = arena->blocks;
		arena->blocks = block;
	}
	return block;
}

void *arena_alloc(
	struct arena *arena, size_t count, size_t size, struct error *err)
{
	struct block *block = arena->blocks;
	size_t bytes;
	void *memory;

	if (__builtin_mul_overflow(count, size, &bytes) ||
		bytes > SIZE_MAX - ALIGNMENT) {
		(void)error_set(err, ERROR_SYSTEM,
			"cannot get memory for %zu times %zu bytes", count,
			size);
		return NULL;
	}
	bytes = (bytes + ALIGNMENT) & ~(ALIGNMENT - 1);
	if (!block || block->size - block->used < bytes)
		block = add_block(arena, bytes, err);
	if (!block)
		return NULL;
	memory = block->data + block->used;
	block->used += bytes;
	return memory;
}

char *arena_copy(
	struct arena *arena, const char *data, size_t len, struct error *err)
{
	char *copy = arena_alloc(arena, len + 1, 1, err);

	if (copy && len > 0)
		memcpy(copy, data, len);
	return copy;
}

char *arena_printf(struct arena *arena, struct error *err, const char *fmt, ...)
{
	va_list args;
	char *copy = NULL;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0) {
		(void)error_set_errno(err, "cannot format a text");
		return NULL;
	}
	copy = arena_alloc(arena, (size_t)len + 1, 1, err);
	if (!copy)
		return NULL;
	va_start(args, fmt);
	vsnprintf(copy, (size_t)len + 1, fmt, args);
	va_end(args);
	return copy;
}
