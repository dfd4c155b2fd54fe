/* SPDX-License-Identifier: MIT */
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memfd.h"
#include "tests/suites.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static int make(bool executable)
{
	struct error err = {0};
	int fd = memfd_create_sealed("bytes", "a\0b", 3, executable, &err);

	ck_assert_msg(fd >= 0, "%s", err.message);
	return fd;
}

START_TEST(its_bytes_cannot_be_changed_by_any_way)
{
	CLEANUP(cleanup_close) int fd = make(_i);
	char bytes[4] = "";

	ck_assert_int_eq(pread(fd, bytes, sizeof(bytes), 0), 3);
	ck_assert_mem_eq(bytes, "a\0b", 3);
	ck_assert_int_eq(pwrite(fd, "x", 1, 0), -1);
	ck_assert_int_eq(ftruncate(fd, 0), -1);
	ck_assert_int_eq(ftruncate(fd, 100), -1);
	ck_assert_ptr_eq(
		mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
		MAP_FAILED);
	ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, 0), -1);
}
END_TEST

START_TEST(an_executable_one_can_be_opened_by_nobody)
{
	CLEANUP(cleanup_close) int fd = make(true);
	struct stat status;

	ck_assert_int_eq(fstat(fd, &status), 0);
	ck_assert_int_eq(status.st_mode & 07777, 0111);
}
END_TEST

START_TEST(it_does_not_outlive_an_exec)
{
	CLEANUP(cleanup_close) int fd = make(_i);

	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
}
END_TEST

Suite *memfd_suite(void)
{
	Suite *suite = suite_create("memfd");
	TCase *tcase = tcase_create("memfd");

	tcase_add_loop_test(
		tcase, its_bytes_cannot_be_changed_by_any_way, 0, 2);
	tcase_add_test(tcase, an_executable_one_can_be_opened_by_nobody);
	tcase_add_loop_test(tcase, it_does_not_outlive_an_exec, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
