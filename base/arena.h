/* SPDX-License-Identifier: MIT */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory that is freed all at once.
 *
 * What belongs to one exercise, one list of cases or one grade comes from one
 * arena and lives exactly as long as it; nothing in it is freed alone.
 */

#include <stddef.h>

struct arena;
struct error;

/* NULL, and err set, when there is no memory. */
struct arena *arena_create(struct error *err)
	__attribute__((warn_unused_result));
void arena_destroy(struct arena *arena);

/*
 * Zeroed memory for count objects of size bytes, aligned for any type; never
 * NULL for a count of 0.  NULL, and err set, when the product overflows or
 * there is no memory.
 */
void *arena_alloc(struct arena *arena, size_t count, size_t size,
	struct error *err) __attribute__((warn_unused_result));

/* A copy of len bytes with a NUL behind them. */
char *arena_copy(struct arena *arena, const char *data, size_t len,
	struct error *err) __attribute__((warn_unused_result));

char *arena_printf(struct arena *arena, struct error *err, const char *fmt, ...)
	__attribute__((warn_unused_result, format(printf, 3, 4)));

static inline void cleanup_arena(struct arena **arena)
{
	arena_destroy(*arena);
}

#endif
