/* SPDX-License-Identifier: MIT */

/* Where groups can be had, and, on machines that give us one, that it holds. */

#include "base/error.h"
#include "sandbox/cgroup.h"
#include "sandbox/internal.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOUNTS_2 "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
#define MOUNTS_BOTH                                                            \
	"proc /proc proc rw 0 0\n"                                             \
	"cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"                  \
	"cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"

static const struct {
	const char *groups, *mounts;
	const char *path;  /* or NULL, and */
	const char *error; /* what it says */
} places[] = {
	{"0::/\n", MOUNTS_2, "/sys/fs/cgroup", NULL},
	{"0::/user.slice/a.scope\n", MOUNTS_2,
		"/sys/fs/cgroup/user.slice/a.scope", NULL},
	{"4:memory:/x\n1:name=systemd:/y\n0::/z\n", MOUNTS_BOTH,
		"/sys/fs/cgroup/unified/z", NULL},
	{"0::/no-line-end", MOUNTS_2, "/sys/fs/cgroup/no-line-end", NULL},
	{"4:memory:/x\n", MOUNTS_BOTH, NULL, "not mounted"},
	{"10::/x\n", MOUNTS_2, NULL, "not mounted"},
	{"0::/x\n", "proc /proc proc rw 0 0\n", NULL, "not mounted"},
	{"0::/x\n", "cgroup2 /elsewhere tmpfs rw 0 0\n", NULL, "not mounted"},
	{"0::/../../x\n", MOUNTS_2, NULL, "lies outside"},
	{"", "", NULL, "not mounted"},
};

START_TEST(our_own_group_is_found_in_what_the_kernel_tells)
{
	char path[PATH_MAX] = "untouched";
	struct error err = {0};
	bool found = cgroup_find_own(
		places[_i].groups, places[_i].mounts, path, &err);

	ck_assert_int_eq(found, places[_i].path != NULL);
	ck_assert_str_eq(path, found ? places[_i].path : "untouched");
	if (!found)
		ck_assert_ptr_nonnull(strstr(err.message, places[_i].error));
}
END_TEST

START_TEST(a_path_that_is_too_long_is_an_error)
{
	static char groups[PATH_MAX + 8] = "0::/";
	char path[PATH_MAX];
	struct error err = {0};

	memset(groups + 4, 'x', PATH_MAX - 5);
	ck_assert(!cgroup_find_own(groups, MOUNTS_2, path, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "too deep"));
}
END_TEST

START_TEST(a_group_is_there_or_the_reason_why_not)
{
	struct cgroup group;
	struct error err = {0};

	if (!cgroup_create(&group, &err)) {
		ck_assert_int_eq(err.kind, ERROR_SYSTEM);
		ck_assert_str_ne(err.message, "");
		ck_assert_int_eq(group.folder, -1);
		ck_assert_int_eq(group.join, -1);
		return;
	}
	ck_assert(cgroup_limit(&group, 1 << 20, &err));
	ck_assert(!cgroup_ran_out(&group));
	cgroup_finish(&group);
	ck_assert_int_eq(access(group.path, F_OK), -1);
}
END_TEST

/* A file of the group, as a number. */
static long long read_number(const struct cgroup *group, const char *name)
{
	char number[32] = "";
	int fd = openat(group->folder, name, O_RDONLY);

	ck_assert_int_gt(read(fd, number, sizeof(number) - 1), 0);
	close(fd);
	return atoll(number);
}

/* By somebody else, once it has used 16 MiB and more: its address space alone
   would let it go on. */
static void lower_memory_limit(const struct cgroup *group)
{
	int fd = openat(group->folder, "memory.max", O_WRONLY);

	while (read_number(group, "memory.current") < 16 << 20)
		usleep(10000);
	_exit(fd < 0 || write(fd, "4194304", 7) != 7);
}

START_TEST(a_run_that_runs_out_of_memory_is_told)
{
	struct sandbox *sandbox = jail_create(NULL);
	const struct cgroup *group = &sandbox->run_slot.cgroup;
	struct jail_program program;
	struct jail_plan plan;
	struct run_request request;
	struct run_result result;
	struct error err = {0};
	pid_t helper;
	int status;

	if (group->folder < 0) { /* the layer is missing here */
		sandbox_destroy(sandbox);
		return;
	}
	program = jail_build(
		"#include <stdlib.h>\n"
		"double solve(const double *x, size_t n, double *y)\n"
		"{ for (volatile char *p = malloc(32 << 20);;)"
		" for (size_t i = 0; i < 32 << 20; i += 4096) p[i] = 1; }\n");
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	request.limits.cpu_call_ms = 30000;
	request.limits.cpu_total_ms = 30000;
	helper = fork();
	if (helper == 0)
		lower_memory_limit(group);
	ck_assert_msg(sandbox_run_program(sandbox, &request, &result, &err),
		"%s", err.message);
	kill(helper, SIGKILL); /* it may be waiting yet */
	ck_assert_int_eq(waitpid(helper, &status, 0), helper);
	ck_assert_int_eq(result.end, RUN_MEMORY);
	close(program.fd);
	jail_plan_drop(&plan);
	sandbox_destroy(sandbox);
}
END_TEST

Suite *cgroup_suite(void)
{
	Suite *suite = suite_create("cgroup");
	TCase *tcase = tcase_create("cgroup");

	tcase_add_loop_test(tcase,
		our_own_group_is_found_in_what_the_kernel_tells, 0,
		sizeof(places) / sizeof(*places));
	tcase_add_test(tcase, a_path_that_is_too_long_is_an_error);
	tcase_add_test(tcase, a_group_is_there_or_the_reason_why_not);
	tcase_add_test(tcase, a_run_that_runs_out_of_memory_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
