/* SPDX-License-Identifier: MIT */

/*
 * What the grader itself has, before and after much work: descriptors, memory
 * files, mappings, children, memory.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/compile.h"
#include "grader/engine/exercise.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/jail.h"
#include "tests/support/lesson.h"
#include "tests/support/process.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MAPS_BYTES_MAX = 1 << 20,
	WARM_UP = 20, /* until caches and pools are as large as they get */
};

/* Freed blocks are kept apart by the sanitizers, to be found if used. */
#ifdef __SANITIZE_ADDRESS__
enum { SLACK_KIB = 1 << 20, SLACK_MAPPINGS = 1 << 20 };
#else
enum { SLACK_KIB = 512, SLACK_MAPPINGS = 0 };
#endif

struct belongings {
	ssize_t fds;
	size_t mappings;
	size_t kib; /* all that is mapped */
	size_t children;
	size_t heap_bytes; /* in blocks that were not freed */
};

static struct folder folder;
static struct arena *arena;
static struct tools tools;
static struct error err;

static struct sandbox *make_jails(void)
{
	const struct sandbox_options options = {
		.temp_dir = folder.path,
		.tool_reads = tools.toolchain.reads,
	};
	struct sandbox *sandbox = sandbox_create(&options, &err);

	ck_assert_msg(sandbox != NULL, "%s", err.message);
	return sandbox;
}

static void set_up(void)
{
	folder_make(&folder);
	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	tools = (struct tools){.cancel = -1};
	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	tools.sandbox = make_jails();
}

static void tear_down(void)
{
	sandbox_destroy(tools.sandbox);
	ck_assert_uint_eq(folder_count(folder.path), 0);
	folder_remove(&folder);
	arena_destroy(arena);
}

static struct belongings take_stock(void)
{
	static char maps[MAPS_BYTES_MAX], statm[256];
	int fds[PROCESS_FDS_MAX];
	struct process child;
	struct belongings own = {
		.fds = process_fds(getpid(), fds),
		.children = process_children(getpid(), &child, 1),
		.heap_bytes = mallinfo2().uordblks,
	};

	ck_assert_int_gt(process_file(getpid(), "maps", maps, sizeof(maps)), 0);
	for (const char *at = maps; (at = strchr(at, '\n')); at++)
		own.mappings++;
	ck_assert_int_gt(
		process_file(getpid(), "statm", statm, sizeof(statm)), 0);
	own.kib = strtoul(statm, NULL, 10) * 4;
	return own;
}

static void check_stock(const struct belongings *before)
{
	const struct belongings after = take_stock();

	ck_assert_int_gt(before->fds, 0);
	ck_assert_int_eq(after.fds, before->fds);
	ck_assert_uint_eq(before->children, 0);
	ck_assert_uint_eq(after.children, 0);
	ck_assert_uint_le(after.mappings, before->mappings + SLACK_MAPPINGS);
	ck_assert_uint_le(after.kib, before->kib + SLACK_KIB);
	ck_assert_uint_le(
		after.heap_bytes, before->heap_bytes + SLACK_KIB * 1024ul);
}

/* Of all that has run: neither one that runs nor a zombie. */
static void check_no_child(void)
{
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

static int often(int usual, int live)
{
	return getenv("GRADER_LIVE") ? live : usual;
}

/* x[0] is 10 times the number of the call. */
static const char all_ends[] =
	"#include <signal.h>\n"
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <sys/socket.h>\n"
	"double solve(const double *x, size_t n, double *y)\n"
	"{\n"
	"	printf(\"%g\\n\", x[0]);\n"
	"	switch ((int)x[0] / 10 % 6) {\n"
	"	case 0: *(volatile char *)0 = 1; return 0;\n"
	"	case 1: abort();\n"
	"	case 2: exit(3);\n"
	"	case 3: return socket(1, 1, 0);\n"
	"	case 4: return malloc(1u << 30) == 0;\n"
	"	}\n"
	"	return 0;\n"
	"}\n";

static void run_all_ends(
	const struct jail_program *program, struct jail_plan *plan, int i)
{
	static const enum run_end ends[] = {RUN_SIGNALED, RUN_ABORTED,
		RUN_EXITED, RUN_VIOLATION, RUN_FINISHED, RUN_FINISHED};
	const struct run_request request = jail_request(program, plan);
	struct run_result result;

	plan->progress->first = (uint64_t)i % 6;
	plan->progress->end = plan->progress->first + 1;
	ck_assert_msg(
		sandbox_run_program(tools.sandbox, &request, &result, &err),
		"%s", err.message);
	ck_assert_int_eq(result.end, ends[i % 6]);
	check_no_child();
}

START_TEST(a_thousand_runs_leave_nothing_behind)
{
	const int n = often(1000, 10000);
	struct jail_program program = jail_build(all_ends);
	struct belongings before;
	struct jail_plan plan;

	jail_plan_make(&plan, 6);
	for (int i = 0; i < WARM_UP; i++)
		run_all_ends(&program, &plan, i);
	before = take_stock();
	for (int i = 0; i < n; i++)
		run_all_ends(&program, &plan, i);
	check_stock(&before);
	jail_plan_drop(&plan);
	close(program.fd);
}
END_TEST

static void compile(int i)
{
	static const char *const sources[] = {
		NULL, "#error no\n", "int solve;\n", "double f(void) {\n"};
	const char *source = sources[i % 4] ? sources[i % 4] : lesson_solution;
	const struct build_request request = lesson_request(source);
	struct build build = {.program = {.fd = -1}};
	struct arena *own = arena_create(&err);

	ck_assert_ptr_nonnull(own);
	ck_assert_msg(compile_program(&tools, &request, own, &build, &err),
		"%s", err.message);
	ck_assert_int_eq(build.ok, i % 4 == 0);
	program_finish(&build.program);
	arena_destroy(own);
	check_no_child();
	ck_assert_uint_eq(folder_count(tools.sandbox->work.path), 0);
}

START_TEST(compilations_leave_nothing_behind)
{
	const int n = often(40, 200);
	struct belongings before;

	for (int i = 0; i < WARM_UP; i++)
		compile(i);
	before = take_stock();
	for (int i = 0; i < n; i++)
		compile(i);
	check_stock(&before);
}
END_TEST

/* With crashes, and hidden cases, which have processes of their own. */
static const char crashing[] =
	"#include <stddef.h>\n"
	"void scale(size_t rows, size_t columns, const double X[rows][columns],"
	" double factor, double Y[rows][columns])\n"
	"{\n"
	"	for (size_t i = 0; i < rows; i++)\n"
	"		for (size_t j = 0; j < columns; j++)\n"
	"			Y[i][j] = X[i][j] * factor;\n"
	"	if (rows == 2)\n"
	"		*(volatile char *)0 = 1;\n"
	"}\n";

static void grade(void)
{
	struct arena *own = arena_create(&err);
	struct exercise exercise;
	struct grade_request request = {
		.file = "solve.c",
		.source = crashing,
		.source_len = sizeof(crashing) - 1,
		.seed = 1,
	};
	struct grade grade;

	ck_assert_ptr_nonnull(own);
	ck_assert_msg(exercise_load("tests/cli/exercises/scale", own, &exercise,
			      &err),
		"%s", err.message);
	request.exercise = &exercise;
	ck_assert_msg(grade_submission(&request, &tools, own, &grade, &err),
		"%s", err.message);
	ck_assert_int_eq(grade.verdict, VERDICT_RUNTIME_ERROR);
	arena_destroy(own);
	check_no_child();
	ck_assert_uint_eq(folder_count(tools.sandbox->work.path), 0);
}

START_TEST(gradings_leave_nothing_behind)
{
	const int n = often(20, 100);
	struct belongings before;

	for (int i = 0; i < WARM_UP / 4; i++)
		grade();
	before = take_stock();
	for (int i = 0; i < n; i++)
		grade();
	check_stock(&before);
}
END_TEST

START_TEST(jails_that_are_torn_down_leave_nothing_behind)
{
	const int n = often(20, 200);
	struct belongings before;

	for (int i = 0; i < n + WARM_UP / 4; i++) {
		sandbox_destroy(make_jails());
		check_no_child();
		if (i == WARM_UP / 4)
			before = take_stock();
	}
	check_stock(&before);
}
END_TEST

Suite *leaks_suite(void)
{
	Suite *suite = suite_create("leaks");
	TCase *tcase = tcase_create("leaks");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, a_thousand_runs_leave_nothing_behind);
	tcase_add_test(tcase, compilations_leave_nothing_behind);
	tcase_add_test(tcase, gradings_leave_nothing_behind);
	tcase_add_test(tcase, jails_that_are_torn_down_leave_nothing_behind);
	suite_add_tcase(suite, tcase);
	return suite;
}
