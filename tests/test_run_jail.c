/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sandbox *sandbox;
static struct jail_program program;
static struct jail_plan plan;
static struct run_result result;

static void set_up(void)
{
	struct error err = {0};

	sandbox = sandbox_create("/tmp", &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	program = (struct jail_program){.fd = -1};
	plan = (struct jail_plan){.plan = -1};
	memset(&result, 0xff, sizeof(result));
}

static void tear_down(void)
{
	sandbox_destroy(sandbox);
	if (program.fd >= 0)
		close(program.fd);
	if (plan.plan >= 0)
		jail_plan_drop(&plan);
}

static void build(const char *body)
{
	program = jail_build(body);
}

static void run(const struct run_request *request)
{
	struct error err = {0};

	ck_assert_msg(sandbox_run_program(sandbox, request, &result, &err),
		"%s", err.message);
}

static void build_and_run(const char *source, size_t n_calls)
{
	struct run_request request;

	build(source);
	jail_plan_make(&plan, n_calls);
	request = jail_request(&program, &plan);
	run(&request);
}

#define SOLVE(body)                                                            \
	"#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n"        \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"       \
	"#include <unistd.h>\n"                                                \
	"double solve(const double *x, size_t n, double *y)\n{\n" body         \
	"\nreturn 0;\n}\n"
#define SUM                                                                    \
	"double s = 0; for (size_t i = 0; i < n; i++)"                         \
	" { y[i] = 2 * x[i]; s += x[i]; } return s;"

static void check_sums(size_t n_calls)
{
	ck_assert_int_eq(result.end, RUN_FINISHED);
	ck_assert_uint_eq(plan.progress->done, n_calls);
	for (size_t c = 0; c < n_calls; c++) {
		const double *y = jail_output(&plan, c);

		for (size_t i = 0; i < JAIL_ELEMENTS; i++)
			ck_assert_double_eq(y[i], 2.0 * (double)(10 * c + i));
		ck_assert_double_eq(y[JAIL_ELEMENTS], (double)(40 * c + 6));
	}
}

START_TEST(right_answers_arrive)
{
	build_and_run(SOLVE(SUM), 100);
	check_sums(100);
	ck_assert(result.memory_figures);
	ck_assert_uint_gt(result.memory_peak_kib, 4);
	ck_assert_uint_lt(result.memory_peak_kib, 4096);
	ck_assert_uint_gt(result.cpu_us, 0);
	ck_assert_int_eq(result.exit_code, 0);
}
END_TEST

Suite *run_jail_suite(void)
{
	Suite *suite = suite_create("run_jail");
	TCase *tcase = tcase_create("run_jail");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, right_answers_arrive);
	suite_add_tcase(suite, tcase);
	return suite;
}
