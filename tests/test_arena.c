/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "tests/suites.h"

#include <stdint.h>
#include <string.h>

START_TEST(memory_is_zeroed_aligned_and_does_not_overlap)
{
	struct error err = {0};
	struct arena *arena = arena_create(&err);
	unsigned char *last = NULL;
	size_t last_size = 0;

	ck_assert_ptr_nonnull(arena);
	for (size_t size = 0; size < 40000; size = size * 2 + 1) {
		unsigned char *now = arena_alloc(arena, size, 1, &err);

		ck_assert_ptr_nonnull(now);
		ck_assert_uint_eq((uintptr_t)now % 16, 0);
		for (size_t i = 0; i < size; i++)
			ck_assert_uint_eq(now[i], 0);
		memset(now, 0xff, size);
		ck_assert(
			!last || now >= last + last_size || now + size <= last);
		last = now;
		last_size = size;
	}
	arena_destroy(arena);
}
END_TEST

START_TEST(a_product_that_overflows_is_an_error)
{
	struct error err = {0};
	struct arena *arena = arena_create(&err);

	ck_assert_ptr_null(arena_alloc(arena, SIZE_MAX / 2, 3, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_null(arena_alloc(arena, SIZE_MAX - 3, 1, &err));
	arena_destroy(arena);
}
END_TEST

START_TEST(a_copy_ends_in_nul)
{
	struct error err = {0};
	struct arena *arena = arena_create(&err);

	ck_assert_str_eq(arena_copy(arena, "abcdef", 3, &err), "abc");
	ck_assert_str_eq(arena_printf(arena, &err, "%d-%s", 7, "x"), "7-x");
	arena_destroy(arena);
	arena_destroy(NULL);
}
END_TEST

Suite *arena_suite(void)
{
	Suite *suite = suite_create("arena");
	TCase *tcase = tcase_create("arena");

	tcase_add_test(tcase, memory_is_zeroed_aligned_and_does_not_overlap);
	tcase_add_test(tcase, a_product_that_overflows_is_an_error);
	tcase_add_test(tcase, a_copy_ends_in_nul);
	suite_add_tcase(suite, tcase);
	return suite;
}
