/* SPDX-License-Identifier: MIT */

/*
 * The grader is killed, and nothing that it started goes on.
 *
 * Whatever loses its parent becomes the child of the test, which is told of all
 * of them that way, whoever started them and whatever their user.
 */

#include "base/clock.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"
#include "tests/support/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	CHILDREN_MAX = 8,
	PATIENCE_MS = 20000,
	US_PER_MS = 1000,
	STATUS_BYTES_MAX = 8192,
};

/* From the kill on.  The sanitizers' memory takes its time to be given back,
   and a process's children are told after that. */
#ifdef __SANITIZE_ADDRESS__
enum { SURVIVAL_MS = 1000 };
#else
enum { SURVIVAL_MS = 100 };
#endif

#define SCALE                                                                  \
	"#include <stddef.h>\n"                                                \
	"#include <stdlib.h>\n"                                                \
	"void scale(size_t rows, size_t columns, const double "                \
	"X[rows][columns], double factor, double Y[rows][columns])\n"

static const char right[] =
	SCALE "{\n"
	      "	for (size_t i = 0; i < rows; i++)\n"
	      "		for (size_t j = 0; j < columns; j++)\n"
	      "			Y[i][j] = X[i][j] * factor;\n"
	      "}\n";

static const char spinning[] = SCALE "{ for (;;) ; }\n";

static const char asking[] =
	SCALE "{ for (;;) Y[0][0] += malloc(1u << 30) == 0; }\n";

/* Takes the compiler some seconds. */
static const char endless[] =
	"#define A(x) x + x * x + x * x + x * x + x * x + x * x\n"
	"#define B(x) A(A(x))\n"
	"#define C(x) B(B(x))\n" SCALE
	"{ Y[0][0] = C(A(X[rows - 1][columns - 1])); }\n";

static struct folder folder;
static char exercise[96];

/* The sample, with limits that leave time to be killed. */
static void set_up(void)
{
	struct text script = {0};
	struct command command;
	const char *argv[] = {"sh", "-ec", NULL, NULL};

	folder_make(&folder);
	text_printf(&script,
		"cp -R tests/cli/exercises/scale %s/scale; mkdir %s/tmp\n"
		"sed -i 's/\"cpu_case_ms\": 200, \"cpu_total_ms\": 1000/"
		"\"cpu_case_ms\": 60000, \"cpu_total_ms\": 60000/'"
		" %s/scale/exercise.json\n",
		folder.path, folder.path, folder.path);
	argv[2] = script.data;
	command = command_run(argv, NULL, NULL);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
	text_finish(&script);
	snprintf(exercise, sizeof(exercise), "%s/scale", folder.path);
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
}

static void tear_down(void)
{
	folder_remove(&folder);
}

static struct command_started start(const char *source)
{
	const char *const argv[] = {command_grader(), "grade", exercise,
		folder_put(&folder, "solve.c", source, 0644), NULL};
	char temp[96], cache[96];
	const char *const env[] = {temp, cache, NULL};

	snprintf(temp, sizeof(temp), "TMPDIR=%s/tmp", folder.path);
	snprintf(cache, sizeof(cache), "XDG_CACHE_HOME=%s/cache", folder.path);
	return command_start(argv, env, NULL);
}

static uint64_t now_ms(void)
{
	return clock_read_us(CLOCK_MONOTONIC) / US_PER_MS;
}

/* The grader also asks gcc for its version and folders, without a jail. */
static bool is_jailed(pid_t pid)
{
	char status[STATUS_BYTES_MAX];

	return process_file(pid, "status", status, sizeof(status)) > 0 &&
		strstr(status, "\nSeccomp:\t2\n");
}

/* Until it has a child in a jail that executes this; so the name ends. */
static struct process await_child(pid_t grader, const char *exe)
{
	const uint64_t end = now_ms() + PATIENCE_MS;

	while (now_ms() < end) {
		struct process children[CHILDREN_MAX];
		size_t n = process_children(grader, children, CHILDREN_MAX);

		for (size_t i = 0; i < n && i < CHILDREN_MAX; i++) {
			const pid_t pid = children[i].pid;
			char target[PROCESS_TARGET_MAX];

			if (process_link(pid, "exe", target, sizeof(target)) &&
				strstr(target, exe) && is_jailed(pid))
				return children[i];
		}
		usleep(500);
	}
	ck_abort_msg("no child executes %s", exe);
	return (struct process){0};
}

static void await_state(const struct process *process, char state)
{
	const uint64_t end = now_ms() + PATIENCE_MS;
	struct process now = {0};

	while (now_ms() < end && process_read(process->pid, &now) &&
		now.state != state)
		usleep(500);
	ck_assert_int_eq(now.state, state);
}

/* How many of our children run; what is dead is taken away. */
static size_t count_running(struct process *first_out)
{
	struct process children[CHILDREN_MAX];
	const size_t n = process_children(getpid(), children, CHILDREN_MAX);
	size_t running = 0;

	ck_assert_uint_le(n, CHILDREN_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!process_runs(&children[i])) {
			waitpid(children[i].pid, NULL, WNOHANG);
			continue;
		}
		if (running++ == 0)
			*first_out = children[i];
	}
	return running;
}

static void check_none_runs(
	size_t running, const struct process *survivor, const char *when)
{
	char name[PROCESS_TARGET_MAX] = "?";

	if (running == 0)
		return;
	process_link(survivor->pid, "exe", name, sizeof(name));
	kill(survivor->pid, SIGKILL);
	ck_abort_msg("%s: %zu run, process %d, state %c, %s", when, running,
		(int)survivor->pid, survivor->state, name);
}

static void kill_and_check(
	const struct command_started *started, const char *when)
{
	const uint64_t killed = now_ms();
	struct process survivor;
	size_t running;

	ck_assert_int_eq(kill(started->pid, SIGKILL), 0);
	/* The last look is one after the end. */
	for (bool late = false;; late = now_ms() > killed + SURVIVAL_MS) {
		running = count_running(&survivor);
		if (running == 0 || late)
			break;
		usleep(1000);
	}
	check_none_runs(running, &survivor, when);
	close(started->out);
	close(started->errors);
}

START_TEST(no_compiler_outlives_the_grader)
{
	const struct command_started started = start(endless);

	await_child(started.pid, "/cc1");
	kill_and_check(&started, "compiling");
}
END_TEST

/* The learner's: those of the exercise, which run before, are soon done. */
static struct process await_program(pid_t grader)
{
	struct process child;

	do {
		child = await_child(grader, "/memfd:program");
		usleep(150 * US_PER_MS);
	} while (!process_runs(&child));
	return child;
}

START_TEST(no_program_outlives_the_grader)
{
	const struct command_started started = start(spinning);

	if (geteuid() == 0)
		await_program(started.pid);
	else /* what it executes is not for us to see */
		usleep(500 * US_PER_MS);
	kill_and_check(&started, "running");
}
END_TEST

START_TEST(no_program_that_waits_for_an_answer_outlives_the_grader)
{
	const struct command_started started = start(asking);
	struct process child;

	if (geteuid() == 0) {
		child = await_program(started.pid);
		/* One that does not answer: the next question lasts. */
		ck_assert_int_eq(kill(started.pid, SIGSTOP), 0);
		await_state(&child, 'S');
	}
	kill_and_check(&started, "asking");
}
END_TEST

START_TEST(nothing_outlives_the_grader_whenever_it_is_killed)
{
	const int n = getenv("GRADER_LIVE") ? 200 : 30;

	struct process child;
	int with_child = 0;

	for (int i = 0; i < n; i++) {
		const struct command_started started = start(right);
		char when[32];

		/* Starts, compilations and runs, of the exercise's programs
		   and of the submission: they take some 200 ms. */
		snprintf(when, sizeof(when), "after %d ms", i * 7 % 200);
		usleep((useconds_t)(i * 7 % 200) * US_PER_MS);
		with_child += process_children(started.pid, &child, 1) > 0;
		kill_and_check(&started, when);
	}
	ck_assert_int_gt(with_child, 0);
}
END_TEST

/* What can be caught leaves no folder either. */
START_TEST(a_signal_while_compiling_leaves_nothing)
{
	static const int signals[] = {SIGTERM, SIGINT};
	const struct command_started started = start(endless);
	struct command command;
	struct process survivor;
	char temp[96];

	await_child(started.pid, "/cc1");
	ck_assert_int_eq(kill(started.pid, signals[_i]), 0);
	command = command_wait(&started);
	ck_assert_int_eq(command.status, 128 + signals[_i]);
	command_finish(&command);
	check_none_runs(count_running(&survivor), &survivor, "signalled");
	snprintf(temp, sizeof(temp), "%s/tmp", folder.path);
	ck_assert_uint_eq(folder_count(temp), 0);
}
END_TEST

/* From when there is one on: it is made long before anything is compiled. */
START_TEST(a_signal_while_the_jails_are_made_leaves_no_folder)
{
	char temp[96];

	snprintf(temp, sizeof(temp), "%s/tmp", folder.path);
	for (int i = 0; i < 10; i++) {
		const struct command_started started = start(endless);
		const uint64_t end = now_ms() + PATIENCE_MS;
		struct command command;

		while (folder_count(temp) == 0 && now_ms() < end)
			;
		ck_assert_int_eq(kill(started.pid, SIGTERM), 0);
		command = command_wait(&started);
		ck_assert_int_eq(command.status, 128 + SIGTERM);
		command_finish(&command);
		ck_assert_uint_eq(folder_count(temp), 0);
	}
}
END_TEST

Suite *orphans_suite(void)
{
	Suite *suite = suite_create("orphans");
	TCase *tcase = tcase_create("orphans");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, no_compiler_outlives_the_grader);
	tcase_add_test(tcase, no_program_outlives_the_grader);
	tcase_add_test(
		tcase, no_program_that_waits_for_an_answer_outlives_the_grader);
	tcase_add_test(
		tcase, nothing_outlives_the_grader_whenever_it_is_killed);
	tcase_add_loop_test(
		tcase, a_signal_while_compiling_leaves_nothing, 0, 2);
	tcase_add_test(
		tcase, a_signal_while_the_jails_are_made_leaves_no_folder);
	suite_add_tcase(suite, tcase);
	return suite;
}
