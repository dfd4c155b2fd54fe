/* SPDX-License-Identifier: MIT */
#include "base/cleanup.h"
#include "base/error.h"
#include "sandbox/spawn.h"
#include "tests/suites.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

static char stack[0x10000] __attribute__((aligned(16)));
static char *const no_environment[] = {NULL};
static char name[] = "sh";
static char option[] = "-c";

/* What a shell script says on its standard output, with these descriptors. */
static void run_shell(char *script, const struct spawn *base, char *said,
	size_t size, siginfo_t *info)
{
	CLEANUP(cleanup_close) int program = open("/bin/sh", O_PATH);
	char *const argv[] = {name, option, script, NULL};
	struct spawn spawn = *base;
	struct spawn_child child;
	struct error err = {0};
	int pipes[2];
	ssize_t len;

	ck_assert_int_eq(pipe(pipes), 0);
	const int fds[] = {pipes[0], pipes[1], 2};

	spawn.program = program;
	spawn.argv = argv;
	spawn.envp = no_environment;
	spawn.fds = fds;
	spawn.n_fds = 3;
	spawn.stack = stack;
	spawn.stack_bytes = sizeof(stack);
	ck_assert_msg(spawn_start(&spawn, &child, &err), "%s", err.message);
	close(pipes[1]);
	ck_assert_int_eq(
		waitid(P_PIDFD, (id_t)child.pidfd, info, WEXITED | WNOWAIT), 0);
	len = read(pipes[0], said, size - 1);
	said[len > 0 ? len : 0] = '\0';
	close(pipes[0]);
	ck_assert_int_eq(child.listener, -1);
	spawn_finish(&child);
}

START_TEST(only_the_listed_descriptors_are_open)
{
	struct spawn spawn = {.work_dir = -1, .landlock = -1, .cgroup = -1};
	siginfo_t info;
	char said[256];
	char script[] = "echo /proc/self/fd/*";

	run_shell(script, &spawn, said, sizeof(said), &info);
	/* 3 is the folder that the shell reads. */
	ck_assert_str_eq(said,
		"/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 "
		"/proc/self/fd/3\n");
	ck_assert_int_eq(info.si_status, 0);
}
END_TEST

/* 10 to 12 have a use of their own here, which not every child has. */
START_TEST(nor_is_one_that_the_parent_happened_to_have)
{
	struct spawn spawn = {.work_dir = -1, .landlock = -1, .cgroup = -1};
	siginfo_t info;
	char said[256];
	char script[] = "echo /proc/self/fd/*";

	for (int fd = 3; fd < 40; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			ck_assert_int_eq(dup2(2, fd), fd);
	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert_str_eq(said,
		"/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 "
		"/proc/self/fd/3\n");
}
END_TEST

START_TEST(the_environment_is_what_was_given)
{
	struct spawn spawn = {.work_dir = -1, .landlock = -1, .cgroup = -1};
	siginfo_t info;
	char said[256];
	char script[] = "tr '\\0' '\\n' </proc/$$/environ";

	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(signals_are_at_their_defaults)
{
	struct spawn spawn = {.work_dir = -1, .landlock = -1, .cgroup = -1};
	siginfo_t info;
	char said[256];
	char script[] = "kill -XFSZ $$";

	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert(info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED);
	ck_assert_int_eq(info.si_status, SIGXFSZ);
}
END_TEST

START_TEST(it_starts_in_the_work_folder_and_within_the_limits)
{
	CLEANUP(cleanup_close)
	int folder = open("/proc", O_PATH | O_DIRECTORY);
	const struct spawn_limit limit = SPAWN_LIMIT(RLIMIT_FSIZE, 1024);
	struct spawn spawn = {.work_dir = folder,
		.landlock = -1,
		.cgroup = -1,
		.limits = &limit,
		.n_limits = 1};
	siginfo_t info;
	char said[256];
	char script[] = "pwd; ulimit -f";

	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert_str_eq(said, "/proc\n2\n");
}
END_TEST

START_TEST(other_ids_come_without_the_groups_of_before)
{
	const gid_t group = 4242;
	struct spawn spawn = {.work_dir = -1,
		.landlock = -1,
		.cgroup = -1,
		.change_ids = true,
		.uid = 60000,
		.gid = 60001};
	siginfo_t info;
	char said[256];
	char script[] = "grep -E '^(Uid|Gid|Groups|CapEff):' /proc/self/status "
			"| tr -s '\\t\\n' ' '";

	if (geteuid() != 0) /* only root can give others */
		return;
	ck_assert_int_eq(setgroups(1, &group), 0);
	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert_str_eq(said,
		"Uid: 60000 60000 60000 60000 Gid: 60001 60001 60001 60001 "
		"Groups: CapEff: 0000000000000000 ");
}
END_TEST

/* Else a root that keeps its ids would keep its rights. */
START_TEST(capabilities_are_given_up_with_the_same_ids_too)
{
	struct spawn spawn = {.work_dir = -1, .landlock = -1, .cgroup = -1};
	siginfo_t info;
	char said[256];
	char script[] = "grep -E '^Cap(Prm|Eff|Amb):' /proc/self/status "
			"| tr -s '\\t\\n' ' '";

	run_shell(script, &spawn, said, sizeof(said), &info);
	ck_assert_str_eq(said,
		"CapPrm: 0000000000000000 CapEff: 0000000000000000 "
		"CapAmb: 0000000000000000 ");
}
END_TEST

START_TEST(a_program_that_cannot_be_executed_is_an_error_that_says_so)
{
	CLEANUP(cleanup_close) int program = open("/etc/passwd", O_PATH);
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, 0x7fff0000);
	const struct sock_fprog filter = {1, &allow};
	char *const argv[] = {name, NULL};
	const struct spawn spawn = {
		.program = program,
		.argv = argv,
		.envp = no_environment,
		.work_dir = -1,
		.landlock = -1,
		.cgroup = -1,
		.filter = &filter,
		.stack = stack,
		.stack_bytes = sizeof(stack),
	};
	struct spawn_child child;
	struct error err = {0};

	ck_assert(!spawn_start(&spawn, &child, &err));
	ck_assert_str_eq(err.message,
		"the child cannot execute the program: Permission denied");
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

Suite *spawn_suite(void)
{
	Suite *suite = suite_create("spawn");
	TCase *tcase = tcase_create("spawn");

	tcase_add_test(tcase, only_the_listed_descriptors_are_open);
	tcase_add_test(tcase, nor_is_one_that_the_parent_happened_to_have);
	tcase_add_test(tcase, the_environment_is_what_was_given);
	tcase_add_test(tcase, signals_are_at_their_defaults);
	tcase_add_test(
		tcase, it_starts_in_the_work_folder_and_within_the_limits);
	tcase_add_test(tcase, other_ids_come_without_the_groups_of_before);
	tcase_add_test(tcase, capabilities_are_given_up_with_the_same_ids_too);
	tcase_add_test(tcase,
		a_program_that_cannot_be_executed_is_an_error_that_says_so);
	suite_add_tcase(suite, tcase);
	return suite;
}
