/* SPDX-License-Identifier: MIT */
#include "grader/engine/toolchain.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/gcc_probe.h"
#include "tests/suites.h"
#include "tests/support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena *arena;
static struct folder folder;
static struct error err;

static void set_up(void)
{
	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	folder_make(&folder);
}

static void tear_down(void)
{
	folder_remove(&folder);
	arena_destroy(arena);
}

static bool has(const char *const *list, const char *value)
{
	for (; *list; list++)
		if (strcmp(*list, value) == 0)
			return true;
	return false;
}

/* A gcc that prints what it is told to. */
static const char *fake_gcc(const char *answer)
{
	char script[8192];

	snprintf(script, sizeof(script),
		"#!/bin/sh\nprintf x >>%s/asked\ncat <<'END'\n%s\nEND\n",
		folder.path, answer);
	return folder_put(&folder, "gcc", script, 0755);
}

static size_t n_asked(void)
{
	char path[256];
	struct stat info;

	snprintf(path, sizeof(path), "%s/asked", folder.path);
	return stat(path, &info) == 0 ? (size_t)info.st_size : 0;
}

START_TEST(all_tools_and_files_are_found_and_exist)
{
	struct toolchain toolchain;
	struct stat info;

	ck_assert_msg(toolchain_find(NULL, arena, &toolchain, &err), "%s",
		err.message);
	ck_assert_int_eq(strncmp(toolchain.compiler, "gcc ", 4), 0);
	ck_assert_int_ge(toolchain.compiler[4], '0');
	ck_assert_int_eq(access(toolchain.cc1, X_OK), 0);
	ck_assert_int_eq(access(toolchain.as, X_OK), 0);
	ck_assert_int_eq(access(toolchain.ld, X_OK), 0);
	ck_assert_uint_eq(strlen(toolchain.identity), 64);
	ck_assert_ptr_nonnull(toolchain.include_dirs[0]);
	ck_assert_ptr_nonnull(toolchain.libraries[0]);
	for (const char *const *path = toolchain.reads; *path; path++)
		ck_assert_msg(stat(*path, &info) == 0, "%s", *path);
	ck_assert(has(toolchain.reads, toolchain.cc1));
	ck_assert(has(toolchain.reads, toolchain.include_dirs[0]));
	ck_assert(has(toolchain.reads, toolchain.libraries[0]));
	ck_assert(!has(toolchain.reads, "/usr"));
	ck_assert_ptr_nonnull(strstr(toolchain.flags, "-O1"));
}
END_TEST

START_TEST(the_libc_is_named_with_its_version)
{
	struct toolchain toolchain;
	int major, minor;
	char name[16];

	ck_assert_msg(toolchain_find(NULL, arena, &toolchain, &err), "%s",
		err.message);
	ck_assert_int_eq(sscanf(toolchain.libc_name, "%15[a-z] %d.%d", name,
				 &major, &minor),
		3);
	ck_assert_str_eq(name, toolchain.libc == LIBC_MUSL ? "musl" : "glibc");
}
END_TEST

START_TEST(without_musl_it_is_static_glibc)
{
	static const char *const gccs[] = {"/usr/bin/gcc", NULL};
	struct toolchain_places places = {
		gccs, "/proc/nonexistent/include", "/proc/nonexistent/lib"};
	struct toolchain toolchain;

	if (!toolchain_find_in(&places, NULL, arena, &toolchain, &err)) {
		ck_assert_ptr_nonnull(strstr(err.message, "musl-dev"));
		return;
	}
	ck_assert_int_eq(toolchain.libc, LIBC_GLIBC);
	ck_assert_ptr_nonnull(strstr(toolchain.libc_name, "(static)"));
	ck_assert_ptr_nonnull(toolchain.start_files[0]);
	ck_assert_ptr_nonnull(toolchain.end_files[0]);
}
END_TEST

START_TEST(no_gcc_names_the_package)
{
	static const char *const gccs[] = {"/proc/nonexistent/gcc", NULL};
	struct toolchain_places places = {gccs, "/x", "/x"};
	struct toolchain toolchain;

	ck_assert(!toolchain_find_in(&places, NULL, arena, &toolchain, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "package gcc"));
}
END_TEST

static const struct {
	const char *answer;
	const char *sentence;
} wrong_answers[] = {
	{"Debian clang version 14.0.6", "is no gcc"},
	{"Target: aarch64-linux-gnu\ngcc version 12.2.0 (Debian)",
		"for aarch64-linux-gnu"},
	{"Target: x86_64-linux-gnu\ngcc version 12.2.0 (Debian)\n"
	 " cc1 -quiet /dev/null\n",
		"(cc1)"},
	{"Target: x86_64-linux-gnu\ngcc version 12.2.0 (Debian)\n"
	 " /proc/nonexistent/cc1 -quiet /dev/null",
		"(cc1)"},
	{"", "is no gcc"},
};

START_TEST(a_gcc_that_will_not_do_is_refused_with_a_reason)
{
	const char *gccs[] = {fake_gcc(wrong_answers[_i].answer), NULL};
	struct toolchain_places places = {gccs, "/x", "/x"};
	struct toolchain toolchain;

	ck_assert(!toolchain_find_in(&places, NULL, arena, &toolchain, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_msg(strstr(err.message, wrong_answers[_i].sentence) != NULL,
		"%s", err.message);
}
END_TEST

/* The place of cc1 and of libgcc.a on Ubuntu 24.04 is not the same. */
START_TEST(libexec_and_lib_may_be_two_folders)
{
	struct gcc_facts *facts = calloc(1, sizeof(*facts));
	char answer[4096];

	folder_put(&folder, "cc1", "", 0755);
	folder_put(&folder, "libgcc.a", "", 0644);
	folder_put(&folder, "as", "", 0755);
	snprintf(answer, sizeof(answer),
		"Using built-in specs.\nTarget: x86_64-linux-gnu\n"
		"gcc version 13.2.0 (Ubuntu 13.2.0-23ubuntu4)\n"
		"COLLECT_GCC_OPTIONS='-static'\n"
		" \"%s/cc1\" -quiet -o /tmp/x.s\n"
		"COMPILER_PATH=/proc/nonexistent/:%s/:/usr/lib/\n"
		"LIBRARY_PATH=/proc/nonexistent/:%s/\n",
		folder.path, folder.path, folder.path);
	ck_assert_ptr_nonnull(facts);
	ck_assert_msg(gcc_read_answer(answer, facts, &err), "%s", err.message);
	ck_assert_str_eq(facts->compiler, "gcc 13.2.0");
	ck_assert_int_eq(
		strncmp(facts->cc1, folder.path, strlen(folder.path)), 0);
	ck_assert_int_eq(
		strncmp(facts->as, folder.path, strlen(folder.path)), 0);
	ck_assert_str_eq(facts->gcc_dir, folder.path);
	ck_assert_str_eq(facts->libc_dir, "");
	free(facts);
}
END_TEST

/* Wraps the real gcc, so that one can count how often it is asked. */
static const char *counting_gcc(void)
{
	char script[512];

	snprintf(script, sizeof(script),
		"#!/bin/sh\nprintf x >>%s/asked\nexec /usr/bin/gcc \"$@\"\n",
		folder.path);
	return folder_put(&folder, "gcc", script, 0755);
}

START_TEST(gcc_is_asked_once_and_again_when_it_changes)
{
	const char *gccs[] = {counting_gcc(), NULL};
	struct toolchain_places places = {gccs,
		"/usr/include/x86_64-linux-musl", "/usr/lib/x86_64-linux-musl"};
	struct toolchain first, second, third;
	char cache[300];

	snprintf(cache, sizeof(cache), "%s/cache/deep", folder.path);
	ck_assert_msg(toolchain_find_in(&places, cache, arena, &first, &err),
		"%s", err.message);
	ck_assert(toolchain_find_in(&places, cache, arena, &second, &err));
	ck_assert_uint_eq(n_asked(), 1);
	ck_assert_str_eq(first.identity, second.identity);
	ck_assert_str_eq(first.cc1, second.cc1);
	counting_gcc();
	ck_assert(toolchain_find_in(&places, cache, arena, &third, &err));
	ck_assert_uint_eq(n_asked(), 2);
	ck_assert_str_ne(first.identity, third.identity);
}
END_TEST

START_TEST(a_musl_that_comes_later_is_taken)
{
	static const char *const gccs[] = {"/usr/bin/gcc", NULL};
	char cache[300], lib[300];
	struct toolchain_places places = {gccs, folder.path, lib};
	struct toolchain before, after;

	snprintf(cache, sizeof(cache), "%s/cache", folder.path);
	snprintf(lib, sizeof(lib), "%s/lib", folder.path);
	ck_assert_int_eq(mkdir(lib, 0755), 0);
	if (!toolchain_find_in(&places, cache, arena, &before, &err))
		return; /* there is no static glibc either */
	ck_assert_int_eq(before.libc, LIBC_GLIBC);
	folder_put(&folder, "lib/libc.a", "!<arch>\n", 0644);
	ck_assert(toolchain_find_in(&places, cache, arena, &after, &err));
	ck_assert_int_eq(after.libc, LIBC_MUSL);
}
END_TEST

/* A gcc that says it is of another version. */
static const char *gcc_of_version(const char *version)
{
	char script[512];

	snprintf(script, sizeof(script),
		"#!/bin/sh\n/usr/bin/gcc \"$@\" 2>&1 | "
		"sed 's/^gcc version [^ ]*/gcc version %s/'\n",
		version);
	return folder_put(&folder, "gcc", script, 0755);
}

static const struct {
	const char *version;
	bool permissive;
} versions[] = {
	{"9.4.0", false},
	{"12.2.0", false},
	{"13.3.0", false},
	{"14.2.0", true},
	{"15.1.1", true},
};

START_TEST(errors_of_newer_gccs_stay_the_warnings_that_they_were)
{
	const char *gccs[] = {gcc_of_version(versions[_i].version), NULL};
	struct toolchain_places places = {gccs,
		"/usr/include/x86_64-linux-musl", "/usr/lib/x86_64-linux-musl"};
	struct toolchain toolchain;

	ck_assert_msg(toolchain_find_in(&places, NULL, arena, &toolchain, &err),
		"%s", err.message);
	ck_assert_int_eq(has(toolchain.own_flags, "-fpermissive"),
		versions[_i].permissive);
	ck_assert_int_eq(strstr(toolchain.flags, "-fpermissive") != NULL,
		versions[_i].permissive);
}
END_TEST

Suite *toolchain_suite(void)
{
	Suite *suite = suite_create("toolchain");
	TCase *tcase = tcase_create("toolchain");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, all_tools_and_files_are_found_and_exist);
	tcase_add_test(tcase, the_libc_is_named_with_its_version);
	tcase_add_test(tcase, without_musl_it_is_static_glibc);
	tcase_add_test(tcase, no_gcc_names_the_package);
	tcase_add_loop_test(tcase,
		a_gcc_that_will_not_do_is_refused_with_a_reason, 0,
		sizeof(wrong_answers) / sizeof(*wrong_answers));
	tcase_add_test(tcase, libexec_and_lib_may_be_two_folders);
	tcase_add_test(tcase, gcc_is_asked_once_and_again_when_it_changes);
	tcase_add_test(tcase, a_musl_that_comes_later_is_taken);
	tcase_add_loop_test(tcase,
		errors_of_newer_gccs_stay_the_warnings_that_they_were, 0,
		sizeof(versions) / sizeof(*versions));
	suite_add_tcase(suite, tcase);
	return suite;
}
