/* SPDX-License-Identifier: MIT */

/*
 * The run jail on machines that give less.
 */

#include "base/error.h"
#include "sandbox/filter.h"
#include "sandbox/internal.h"
#include "sandbox/policy.h"
#include "sandbox/protocol.h"
#include "sandbox/raw.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sandbox *sandbox;
static struct jail_program program;
static struct jail_plan plan;
static struct run_result result;

static void set_up(void)
{
	sandbox = jail_create(NULL);
}

static void tear_down(void)
{
	sandbox_destroy(sandbox);
	close(program.fd);
	jail_plan_drop(&plan);
}

static void build_and_run(const char *source, size_t n_calls)
{
	struct error err = {0};
	struct run_request request;

	program = jail_build(source);
	jail_plan_make(&plan, n_calls);
	request = jail_request(&program, &plan);
	ck_assert_msg(sandbox_run_program(sandbox, &request, &result, &err),
		"%s", err.message);
}

/* Machines that give less ------------------------------------------------ */

static void lose_nothing(void)
{
}

static void lose_listener(void)
{
	struct error err = {0};

	sandbox->listens = false;
	filter_finish(&sandbox->run_filter);
	ck_assert_msg(policy_build(false, sandbox->start_key,
			      &sandbox->run_filter, &err),
		"%s", err.message);
}

static void lose_landlock(void)
{
	if (sandbox->run_landlock >= 0)
		close(sandbox->run_landlock);
	sandbox->run_landlock = -1;
}

static void lose_uid(void)
{
	sandbox->run_slot.change_ids = false;
}

static void lose_all(void)
{
	lose_listener();
	lose_landlock();
	lose_uid();
}

static void (*const losses[])(void) = {
	lose_nothing, lose_listener, lose_landlock, lose_uid, lose_all};

#define SOLVE(body)                                                            \
	"#include <signal.h>\n#include <stddef.h>\n#include <stdio.h>\n"       \
	"#include <stdlib.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"  \
	"double solve(const double *x, size_t n, double *y)\n{\n" body "\n}\n"

static const struct {
	const char *rule;
	const char *source;
	enum run_end end;
	enum run_end without_listener;
	int signal, signal_without;
	const char *violation;
} endings[] = {
	{"a good one",
		SOLVE("for (size_t i = 0; i < n; i++) y[i] = x[i] + 1;"
		      " printf(\"%g\\n\", x[0]); return 5;"),
		RUN_FINISHED, RUN_FINISHED, 0, 0, ""},
	{"exit(0)", SOLVE("exit(0);"), RUN_EXITED, RUN_EXITED, 0, 0, ""},
	{"a write to NULL", SOLVE("*(volatile char *)0 = 1; return 0;"),
		RUN_SIGNALED, RUN_SIGNALED, SIGSEGV, SIGSEGV, ""},
	{"too much memory",
		SOLVE("volatile char *p = malloc(1 << 30); p[9] = 1;"
		      " return 0;"),
		RUN_SIGNALED, RUN_SIGNALED, SIGSEGV, SIGSEGV, ""},
	{"an endless loop", SOLVE("for (;;) ;"), RUN_CPU_CALL, RUN_CPU_CALL,
		SIGKILL, SIGKILL, ""},
	{"endless text", SOLVE("for (;;) printf(\"%999d\", 1);"),
		RUN_TEXT_LIMIT, RUN_TEXT_LIMIT, SIGXFSZ, SIGXFSZ, ""},
	{"a socket", SOLVE("return socket(AF_INET, 1, 0);"), RUN_VIOLATION,
		RUN_VIOLATION, SIGKILL, SIGSYS, "socket"},
	{"a file", SOLVE("return fopen(\"/etc/passwd\", \"r\") != 0;"),
		RUN_VIOLATION, RUN_VIOLATION, SIGKILL, SIGSYS, "open"},
	{"a child", SOLVE("return fork();"), RUN_VIOLATION, RUN_VIOLATION,
		SIGKILL, SIGSYS, "fork"},
	{"the death of the parent", SOLVE("return kill(getppid(), SIGKILL);"),
		RUN_VIOLATION, RUN_VIOLATION, SIGKILL, SIGSYS, "kill"},
	{"another program, by a path that no descriptor counts for",
		"#include <sys/syscall.h>\n" SOLVE(
			"char *v[] = {0}; syscall(SYS_execveat, 10,"
			" \"/bin/true\", v, v, 0x1000); return 0;"),
		RUN_VIOLATION, RUN_VIOLATION, SIGKILL, SIGSYS, "execveat"},
	/* musl crashes when it cannot even send itself a signal. */
	{"abort()", SOLVE("abort();"), RUN_ABORTED, RUN_SIGNALED, SIGABRT,
		SIGSEGV, ""},
};

enum {
	N_ENDINGS = sizeof(endings) / sizeof(endings[0]),
	N_LOSSES = sizeof(losses) / sizeof(void (*)(void)),
};

static bool has_layer(const char *name)
{
	size_t count;
	const struct layer *layers = sandbox_layers(sandbox, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(layers[i].name, name) == 0)
			return layers[i].state == LAYER_OK;
	ck_abort_msg("no layer %s", name);
	return false;
}

START_TEST(the_verdict_does_not_depend_on_the_machine)
{
	const int which = _i / N_LOSSES;
	bool listens;

	losses[_i % N_LOSSES]();
	listens = sandbox->listens;
	build_and_run(endings[which].source, 2);
	ck_assert_msg(result.end ==
			(listens ? endings[which].end
				 : endings[which].without_listener),
		"%s, machine %d: end %d, signal %d", endings[which].rule,
		_i % N_LOSSES, (int)result.end, result.signal);
	ck_assert_int_eq(result.signal,
		listens ? endings[which].signal
			: endings[which].signal_without);
	ck_assert_str_eq(
		result.violation.name, listens ? endings[which].violation : "");
	/* After musl's abort(), which has blocked all signals, none is. */
	ck_assert_int_eq(result.crash_known,
		result.end == endings[which].end &&
			(result.end == RUN_SIGNALED ||
				result.end == RUN_ABORTED));
	/* What is killed by us or the kernel has no time to tell. */
	if (result.end == RUN_FINISHED || result.end == RUN_EXITED)
		ck_assert_int_eq(result.memory_figures,
			listens && has_layer("memory figures"));
}
END_TEST

/* A filter with a listener of its own around this whole process. */
static void surround_by_listener(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog filter = {1, &allow};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_ge(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				 SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter),
		0);
}

START_TEST(another_listener_is_seen_and_done_without)
{
	const struct layer *layers;
	size_t count, i;

	if (sandbox->listens)
		surround_by_listener();
	sandbox_destroy(sandbox);
	sandbox = jail_create(NULL);
	layers = sandbox_layers(sandbox, &count);
	for (i = 0; i < count; i++)
		if (strcmp(layers[i].name, "syscall names") == 0)
			break;
	ck_assert_uint_lt(i, count);
	ck_assert_int_eq(layers[i].state, LAYER_MISSING);
	ck_assert_str_eq(layers[i].reason,
		"another listener has been set up around the grader");
	build_and_run(endings[0].source, 2);
	ck_assert_int_eq(result.end, RUN_FINISHED);
	ck_assert(!result.memory_figures);
}
END_TEST

Suite *run_refusals_suite(void)
{
	Suite *suite = suite_create("run_refusals");
	TCase *tcase = tcase_create("run_refusals");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, the_verdict_does_not_depend_on_the_machine,
		0, N_ENDINGS * N_LOSSES);
	tcase_add_test(tcase, another_listener_is_seen_and_done_without);
	suite_add_tcase(suite, tcase);
	return suite;
}
