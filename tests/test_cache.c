/* SPDX-License-Identifier: MIT */
#include "grader/engine/cache.h"

#include "tests/suites.h"
#include "tests/support/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct folder folder;
static char dir[128];

static void set_up(void)
{
	folder_make(&folder);
	snprintf(dir, sizeof(dir), "%s/a/b", folder.path);
}

static void tear_down(void)
{
	chmod(dir, 0700);
	folder_remove(&folder);
}

static bool holds(const char *key, const char *content)
{
	char *data;
	size_t len;
	bool same;

	if (!cache_get(dir, key, 1000, &data, &len))
		return false;
	same = len == strlen(content) && memcmp(data, content, len + 1) == 0;
	free(data);
	return same;
}

static void path_of(const char *key, char out[static 256])
{
	snprintf(out, 256, "%s/%s", dir, key);
}

START_TEST(what_was_put_is_found_until_it_is_replaced)
{
	struct stat info;

	ck_assert(!holds("aa", "one"));
	cache_put(dir, "aa", "one", 3);
	cache_put(dir, "bb", "", 0);
	ck_assert(holds("aa", "one"));
	ck_assert(holds("bb", ""));
	cache_put(dir, "aa", "two!", 4);
	ck_assert(holds("aa", "two!"));
	ck_assert_uint_eq(folder_count(dir), 2);
	ck_assert_int_eq(stat(dir, &info), 0);
	ck_assert_uint_eq(info.st_mode & 0777, 0700);
}
END_TEST

START_TEST(no_folder_holds_nothing_and_takes_anything)
{
	char *data;
	size_t len;

	cache_put(NULL, "aa", "one", 3);
	ck_assert(!cache_get(NULL, "aa", 1000, &data, &len));
	cache_put("", "aa", "one", 3);
	cache_put("/proc/nothing/here", "aa", "one", 3);
	ck_assert(!cache_get("/proc/nothing/here", "aa", 1000, &data, &len));
}
END_TEST

START_TEST(what_is_longer_than_expected_is_not_there)
{
	char *data;
	size_t len;

	cache_put(dir, "aa", "12345", 5);
	ck_assert(!cache_get(dir, "aa", 4, &data, &len));
	ck_assert(cache_get(dir, "aa", 5, &data, &len));
	free(data);
}
END_TEST

/* Each byte flipped, and each length cut off. */
START_TEST(a_damaged_entry_is_not_there)
{
	char path[256], whole[256], byte;
	ssize_t len;
	int fd;

	cache_put(dir, "aa", "content", 7);
	path_of("aa", path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	len = pread(fd, whole, sizeof(whole), 0);
	ck_assert_int_gt(len, 7);
	for (ssize_t i = 0; i < len; i++) {
		byte = (char)(whole[i] ^ 0x20);
		ck_assert_int_eq(pwrite(fd, &byte, 1, i), 1);
		ck_assert(!holds("aa", "content"));
		ck_assert_int_eq(pwrite(fd, &whole[i], 1, i), 1);
	}
	ck_assert(holds("aa", "content"));
	for (ssize_t cut = len - 1; cut >= 0; cut--) {
		ck_assert_int_eq(ftruncate(fd, cut), 0);
		ck_assert(!holds("aa", "content"));
	}
	close(fd);
	cache_put(dir, "aa", "content", 7);
	ck_assert(holds("aa", "content"));
}
END_TEST

START_TEST(an_entry_under_another_key_is_not_there)
{
	char from[256], to[256];

	cache_put(dir, "aa", "one", 3);
	path_of("aa", from);
	path_of("bb", to);
	ck_assert_int_eq(link(from, to), 0);
	ck_assert(!holds("bb", "one"));
}
END_TEST

START_TEST(links_pipes_and_folders_are_not_read)
{
	char path[256];
	char *data;
	size_t len;

	cache_put(dir, "aa", "one", 3);
	path_of("link", path);
	ck_assert_int_eq(symlink("aa", path), 0);
	path_of("pipe", path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	path_of("folder", path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert(!cache_get(dir, "link", 1000, &data, &len));
	ck_assert(!cache_get(dir, "pipe", 1000, &data, &len));
	ck_assert(!cache_get(dir, "folder", 1000, &data, &len));
}
END_TEST

START_TEST(a_folder_that_others_can_write_to_is_not_used)
{
	cache_put(dir, "aa", "one", 3);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	ck_assert(!holds("aa", "one"));
	cache_put(dir, "bb", "two", 3);
	ck_assert_int_eq(chmod(dir, 0700), 0);
	ck_assert(holds("aa", "one"));
	ck_assert(!holds("bb", "two"));
}
END_TEST

/* Writes the same key over and over; exits with 0 if all reads are whole. */
static void hammer(const char *content)
{
	for (int i = 0; i < 200; i++) {
		char *data;
		size_t len;

		cache_put(dir, "aa", content, strlen(content));
		if (!cache_get(dir, "aa", 1000, &data, &len) ||
			(strcmp(data, "first") != 0 &&
				strcmp(data, "second, longer") != 0))
			_exit(1);
		free(data);
	}
	_exit(0);
}

START_TEST(two_graders_that_write_at_once_never_see_half_an_entry)
{
	static const char *const contents[] = {"first", "second, longer"};
	int status;

	cache_put(dir, "aa", "first", 5);
	for (size_t i = 0; i < 2; i++) {
		pid_t pid = fork();

		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			hammer(contents[i]);
	}
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_uint_eq(folder_count(dir), 1);
}
END_TEST

Suite *cache_suite(void)
{
	Suite *suite = suite_create("cache");
	TCase *tcase = tcase_create("cache");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, what_was_put_is_found_until_it_is_replaced);
	tcase_add_test(tcase, no_folder_holds_nothing_and_takes_anything);
	tcase_add_test(tcase, what_is_longer_than_expected_is_not_there);
	tcase_add_test(tcase, a_damaged_entry_is_not_there);
	tcase_add_test(tcase, an_entry_under_another_key_is_not_there);
	tcase_add_test(tcase, links_pipes_and_folders_are_not_read);
	tcase_add_test(tcase, a_folder_that_others_can_write_to_is_not_used);
	tcase_add_test(
		tcase, two_graders_that_write_at_once_never_see_half_an_entry);
	suite_add_tcase(suite, tcase);
	return suite;
}
