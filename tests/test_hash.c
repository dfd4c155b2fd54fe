/* SPDX-License-Identifier: MIT */
#include "grader/engine/hash.h"
#include "tests/suites.h"

static void hash_two(const char *a, const char *b, char out[HASH_HEX_BYTES])
{
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, a);
	hash_add_string(&hash, b);
	hash_hex(&hash, out);
}

START_TEST(nothing_hashes_to_the_published_value)
{
	struct hash hash;
	char hex[HASH_HEX_BYTES];

	hash_init(&hash);
	hash_hex(&hash, hex);
	/* BLAKE2b-256 of the empty message. */
	ck_assert_str_eq(hex,
		"0e5751c026e543b2e8ab2eb06099daa1"
		"d1e5df47778f7787faab45cdf12fe3a8");
}
END_TEST

START_TEST(parts_do_not_run_into_each_other)
{
	char one[HASH_HEX_BYTES], two[HASH_HEX_BYTES];

	hash_two("ab", "c", one);
	hash_two("a", "bc", two);
	ck_assert_str_ne(one, two);
	hash_two("ab", "c", two);
	ck_assert_str_eq(one, two);
}
END_TEST

START_TEST(the_number_is_the_start_of_the_hash)
{
	struct hash hash;

	hash_init(&hash);
	ck_assert_uint_eq(hash_number(&hash), 0xb243e526c051570eULL);
}
END_TEST

Suite *hash_suite(void)
{
	Suite *suite = suite_create("hash");
	TCase *tcase = tcase_create("hash");

	tcase_add_test(tcase, nothing_hashes_to_the_published_value);
	tcase_add_test(tcase, parts_do_not_run_into_each_other);
	tcase_add_test(tcase, the_number_is_the_start_of_the_hash);
	suite_add_tcase(suite, tcase);
	return suite;
}
