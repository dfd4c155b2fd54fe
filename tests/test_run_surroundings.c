/* SPDX-License-Identifier: MIT */

/*
 * What a program in the run jail has: descriptors, memory, environment; as it
 * sees them itself, and as they are seen from outside while it runs.
 */

#include "base/clock.h"
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"
#include "tests/support/jail.h"
#include "tests/support/process.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	CALLS = 50,
	CHILDREN_MAX = 8,
	MAPS_BYTES_MAX = 65536,
	PATIENCE_S = 60,
	WAITING = 1000, /* y[0] of a call that waits, less its number */
};

static struct sandbox *sandbox;
static struct jail_program program;
static struct jail_plan plan;
static struct run_result result;

static void set_up(void)
{
	sandbox = jail_create(NULL);
	program = (struct jail_program){.fd = -1};
	plan = (struct jail_plan){.plan = -1};
}

static void tear_down(void)
{
	sandbox_destroy(sandbox);
	if (program.fd >= 0)
		close(program.fd);
	if (plan.plan >= 0)
		jail_plan_drop(&plan);
}

static void run(uint64_t cpu_ms)
{
	struct run_request request = jail_request(&program, &plan);
	struct error err = {0};

	request.limits.cpu_call_ms = cpu_ms;
	request.limits.cpu_total_ms = cpu_ms;
	ck_assert_msg(sandbox_run_program(sandbox, &request, &result, &err),
		"%s", err.message);
}

static const char *libc_of(int i)
{
	return i ? "glibc" : "musl";
}

/* Seen from inside --------------------------------------------------------- */

static const char what_it_was_given[] =
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"#include <string.h>\n"
	"extern char **environ;\n"
	"double solve(const double *x, size_t n, double *y)\n"
	"{\n"
	"	char **argv = environ - 2;\n"
	"	unsigned long *at = (unsigned long *)environ;\n"
	"	const char *name = argv[0], *path = 0;\n"
	"	printf(\"%ld argument '%s'\\n\", ((long *)argv)[-1], name);\n"
	"	while (*at) printf(\"environment '%s'\\n\", (char *)*at++);\n"
	"	for (at++; at[0]; at += 2) {\n"
	"		if (at[0] == 15) printf(\"machine '%s'\\n\","
	"			(char *)at[1]);\n"
	"		if (at[0] == 31) path = (char *)at[1];\n"
	"	}\n"
	"	printf(\"path '%s'\\n\", path);\n"
	/* Between and behind these two the stack holds other strings. */
	"	printf(\"%d between\\n\", (int)(path - name -"
	"		strlen(name) - 1));\n"
	"	for (path += strlen(path); (long)path & 4095; path++)\n"
	"		if (*path) { printf(\"more\\n\"); break; }\n"
	"	return 0;\n"
	"}\n";

START_TEST(it_is_given_two_names_and_nothing_else)
{
	char text[1024];

	ck_assert_int_eq(setenv("GRADER_TEST_CANARY", "sings", 1), 0);
	program = jail_build_with(libc_of(_i), what_it_was_given);
	jail_plan_make(&plan, 1);
	run(2000);
	ck_assert_int_eq(result.end, RUN_FINISHED);
	jail_text(&plan, text, sizeof(text));
	ck_assert_str_eq(text,
		"1 argument 'solution'\n"
		"machine 'x86_64'\n"
		"path '/dev/fd/10'\n"
		"0 between\n");
}
END_TEST

/* Seen from outside -------------------------------------------------------- */

/* Each call waits until it has been looked at. */
static const char waiting[] =
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <time.h>\n"
	"double solve(const double *x, size_t n, double *y)\n"
	"{\n"
	"	volatile double *v = y;\n"
	/* Library calls between the looks: what they might open stays open. */
	"	double *p = malloc(100000 + (size_t)x[0] * 4000);\n"
	"	printf(\"%g %p %ld %s\\n\", x[0], (void *)p, (long)time(0),"
	"		getenv(\"HOME\") ? \"?\" : \"\");\n"
	"	perror(\"so far\");\n"
	"	v[0] = 1000 + x[0] / 10;\n"
	"	while (v[1] != v[0])\n"
	"		;\n"
	"	return 0;\n"
	"}\n";

/* The page that the program sees its output in. */
static volatile double *watched(void)
{
	struct stat status;

	ck_assert_int_eq(fstat(plan.outputs, &status), 0);
	return (volatile double *)(void *)(plan.base + status.st_size -
		plan.array_bytes);
}

static bool is_expected_fd(int fd, const char *target)
{
	static const char *const targets[] = {"/dev/null",
		"/memfd:text (deleted)", "/memfd:text (deleted)",
		"/memfd:plan (deleted)", "/memfd:outputs (deleted)"};

	return fd >= 0 && fd < (int)(sizeof(targets) / sizeof(*targets)) &&
		strcmp(target, targets[fd]) == 0;
}

static bool is_expected_mapping(const char *name)
{
	static const char *const names[] = {"", "[heap]", "[stack]", "[vdso]",
		"[vsyscall]", "/memfd:program (deleted)",
		"/memfd:plan (deleted)", "/memfd:outputs (deleted)"};

	/* There are several kinds of it, more with each kernel. */
	if (strncmp(name, "[vvar", 5) == 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* The first that should not be there is written to wrong; "" if none is. */
struct look {
	size_t n;    /* how often something was to be seen */
	bool hidden; /* it is not for us to see */
	char wrong[256];
};

static void look_at_fds(struct look *look, pid_t pid)
{
	int fds[PROCESS_FDS_MAX];
	const ssize_t n = process_fds(pid, fds);

	if (n < 0) {
		look->hidden = true;
		return;
	}
	for (ssize_t i = 0; i < n; i++) {
		char name[32], target[PROCESS_TARGET_MAX] = "?";

		snprintf(name, sizeof(name), "fd/%d", fds[i]);
		process_link(pid, name, target, sizeof(target));
		if (!is_expected_fd(fds[i], target))
			snprintf(look->wrong, sizeof(look->wrong),
				"descriptor %d: %s", fds[i], target);
	}
	if (n != FD_OUTPUTS + 1)
		snprintf(look->wrong, sizeof(look->wrong), "%d descriptors",
			(int)n);
	look->n++;
}

static void look_at_maps(struct look *look, pid_t pid)
{
	static char maps[MAPS_BYTES_MAX];
	char *rest = maps;
	char *line;

	if (process_file(pid, "maps", maps, sizeof(maps)) <= 0) {
		look->hidden = true;
		return;
	}
	while ((line = strsep(&rest, "\n")) && *line) {
		int at = 0;

		sscanf(line, "%*s %*s %*s %*s %*s %n", &at);
		ck_assert_int_gt(at, 0);
		if (!is_expected_mapping(line + at) || strstr(line, " rwx") ||
			strstr(line, " rwxp"))
			snprintf(look->wrong, sizeof(look->wrong), "%.200s",
				line);
	}
}

static void look_at_environment(struct look *look, pid_t pid)
{
	char data[4096];

	if (process_file(pid, "environ", data, sizeof(data)) > 0)
		snprintf(look->wrong, sizeof(look->wrong), "environment %.200s",
			data);
	if (process_file(pid, "cmdline", data, sizeof(data)) !=
			sizeof("solution") ||
		strcmp(data, "solution") != 0)
		snprintf(look->wrong, sizeof(look->wrong), "command line");
}

/* In a thread: what is wrong is told to the main one, which must be let go. */
static void *observe(void *context)
{
	struct look *look = context;
	volatile double *const y = watched();
	const uint64_t end =
		clock_read_us(CLOCK_MONOTONIC) + PATIENCE_S * 1000000ull;

	for (int call = 0; call < CALLS; call++) {
		struct process children[CHILDREN_MAX];
		size_t n;

		while (y[0] != WAITING + call &&
			clock_read_us(CLOCK_MONOTONIC) < end)
			usleep(200);
		n = process_children(getpid(), children, CHILDREN_MAX);
		if (n == 0 && geteuid() != 0) {
			look->hidden = true;
		} else if (n != 1) {
			snprintf(look->wrong, sizeof(look->wrong),
				"%zu children", n);
		} else {
			look_at_fds(look, children[0].pid);
			look_at_maps(look, children[0].pid);
			look_at_environment(look, children[0].pid);
		}
		y[1] = WAITING + call;
	}
	return NULL;
}

/* Who is not root cannot look into a process whose program nobody may read. */
static void check_look(const struct look *look, size_t least)
{
	ck_assert_str_eq(look->wrong, "");
	if (look->hidden && geteuid() != 0)
		return;
	ck_assert(!look->hidden);
	ck_assert_uint_ge(look->n, least);
}

START_TEST(in_each_call_it_has_five_descriptors_and_no_file)
{
	struct look look = {0};
	pthread_t observer;

	program = jail_build_with(libc_of(_i), waiting);
	jail_plan_make(&plan, CALLS);
	ck_assert_int_eq(pthread_create(&observer, NULL, observe, &look), 0);
	run(PATIENCE_S * 1000);
	ck_assert_int_eq(pthread_join(observer, NULL), 0);
	check_look(&look, CALLS);
	ck_assert_int_eq(result.end, RUN_FINISHED);
}
END_TEST

/* Whole gradings ----------------------------------------------------------- */

static const char slow[] =
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"#include <time.h>\n"
	"void scale(size_t rows, size_t columns, const double X[rows][columns],"
	" double factor, double Y[rows][columns])\n"
	"{\n"
	"	clock_t start = clock();\n"
	"	while (clock() - start < CLOCKS_PER_SEC / 50)\n"
	"		printf(\"%zu\\n\", rows);\n"
	"	for (size_t i = 0; i < rows; i++)\n"
	"		for (size_t j = 0; j < columns; j++)\n"
	"			Y[i][j] = X[i][j] * factor;\n"
	"}\n";

/* A child of the grader that executes the learner's program, if this is one:
   before that it has other descriptors. */
static bool is_program(const struct process *process)
{
	char target[PROCESS_TARGET_MAX];

	return process_runs(process) &&
		process_link(process->pid, "exe", target, sizeof(target)) &&
		strcmp(target, "/memfd:program (deleted)") == 0;
}

static void look_at_children(struct look *look, pid_t grader)
{
	struct process children[CHILDREN_MAX];
	const size_t n = process_children(grader, children, CHILDREN_MAX);

	for (size_t i = 0; i < n && i < CHILDREN_MAX; i++) {
		struct look once = {0};

		if (!is_program(&children[i]))
			continue;
		look_at_fds(&once, children[i].pid);
		/* One that ended meanwhile has shown nothing. */
		if (!is_program(&children[i]) || once.hidden)
			continue;
		look->n += once.n;
		if (once.wrong[0])
			*look = once;
	}
}

START_TEST(nor_has_it_in_whole_gradings)
{
	enum { GRADINGS = 8, LOOKS_MIN = 40 };
	struct folder folder;
	struct look look = {0};

	if (geteuid() != 0)
		return;
	folder_make(&folder);
	folder_put(&folder, "slow.c", slow, 0644);
	for (int i = 0; i < GRADINGS || look.n < LOOKS_MIN; i++) {
		const char *const argv[] = {command_grader(), "grade",
			"tests/cli/exercises/scale", folder.last, NULL};
		const struct command_started started =
			command_start(argv, NULL, NULL);
		struct command command;
		siginfo_t info;

		do {
			look_at_children(&look, started.pid);
			info.si_pid = 0;
			ck_assert_int_eq(waitid(P_PID, (id_t)started.pid, &info,
						 WEXITED | WNOHANG | WNOWAIT),
				0);
		} while (info.si_pid == 0);
		command = command_wait(&started);
		ck_assert_msg(command.status == 0, "%s%s", command.out,
			command.errors);
		command_finish(&command);
		ck_assert_str_eq(look.wrong, "");
	}
	folder_remove(&folder);
}
END_TEST

Suite *run_surroundings_suite(void)
{
	Suite *suite = suite_create("run_surroundings");
	TCase *tcase = tcase_create("run_surroundings");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 2 * PATIENCE_S);
	tcase_add_loop_test(
		tcase, it_is_given_two_names_and_nothing_else, 0, 2);
	tcase_add_loop_test(
		tcase, in_each_call_it_has_five_descriptors_and_no_file, 0, 2);
	tcase_add_test(tcase, nor_has_it_in_whole_gradings);
	suite_add_tcase(suite, tcase);
	return suite;
}
