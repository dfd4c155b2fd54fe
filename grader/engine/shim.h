/* SPDX-License-Identifier: MIT */

/*
 * The part of the shim that is the same for every exercise (source.h): it is
 * built in the compile jail, in front of the prototypes of the functions and of
 * grader_call(), which are written for each.  So it includes libc's headers
 * alone, and says again what sandbox/runner/runner.h says.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

union runner_value {
	uint64_t bits;
	void *pointer;
	double number;
	float real;
	uint8_t byte;
};

extern uint64_t grader_heap_pattern;
_Noreturn void grader_run(void);
int grader_main(int argc, char **argv, char **envp);
void grader_call(uint32_t function, union runner_value *values);

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

/*
 * How long a block is has to be known when it grows.  No libc is asked: blocks
 * may come from an allocator of the learner's own.  Of the blocks in use, a
 * table holds those that have found a place; of others the grown part stays as
 * it is.  A block of calloc() is cleared here, not by libc's own: that trusts
 * fresh memory to be zero, and it comes through __wrap_malloc().
 */
static struct {
	void *block;
	size_t size;
} grader_blocks[2048];

static size_t grader_place(const void *block, const void *wanted)
{
	size_t at = (size_t)((uintptr_t)block / 16 * 2654435761u);

	for (size_t i = 0; i < 16; i++) {
		if (grader_blocks[(at + i) % 2048].block == wanted)
			return (at + i) % 2048;
	}
	return 2048;
}

static size_t grader_forget(void *block)
{
	size_t place = block ? grader_place(block, block) : 2048;

	if (place == 2048)
		return SIZE_MAX;
	grader_blocks[place].block = NULL;
	return grader_blocks[place].size;
}

static void grader_remember(void *block, size_t size)
{
	size_t place = grader_place(block, block);

	if (place == 2048)
		place = grader_place(block, NULL);
	if (place == 2048)
		return;
	grader_blocks[place].block = block;
	grader_blocks[place].size = size;
}

static void grader_fill(void *block, size_t from, size_t to, uint64_t pattern)
{
	volatile unsigned char *bytes = block;
	volatile uint64_t *words = block;

	for (; from < to && from % 8 != 0; from++)
		bytes[from] = (unsigned char)(pattern >> from % 8 * 8);
	for (; to - from >= 8 && from < to; from += 8)
		words[from / 8] = pattern;
	for (; from < to; from++)
		bytes[from] = (unsigned char)(pattern >> from % 8 * 8);
}

void *__wrap_malloc(size_t size)
{
	void *block = __real_malloc(size);

	if (block) {
		grader_fill(block, 0, size, grader_heap_pattern);
		grader_remember(block, size);
	}
	return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
	size_t bytes;
	void *block;

	if (__builtin_mul_overflow(count, size, &bytes))
		bytes = SIZE_MAX;
	block = __real_malloc(bytes);
	if (block) {
		grader_fill(block, 0, bytes, 0);
		grader_remember(block, bytes);
	}
	return block;
}

void *__wrap_realloc(void *block, size_t size)
{
	size_t had = block ? grader_forget(block) : 0;
	void *grown = __real_realloc(block, size);

	if (grown && had != SIZE_MAX) {
		if (size > had)
			grader_fill(grown, had, size, grader_heap_pattern);
		grader_remember(grown, size);
	} else if (block && size > 0 && had != SIZE_MAX) {
		grader_remember(block, had);
	}
	return grown;
}

void __wrap_free(void *block)
{
	grader_forget(block);
	__real_free(block);
}

int grader_main(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)argv;
	(void)envp;
	setvbuf(stdout, NULL, _IONBF, 0);
	setvbuf(stderr, NULL, _IONBF, 0);
	grader_run();
}
