/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"
#include "tests/suites.h"
#include "tests/support/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <poll.h>
#include <sched.h>
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
	sandbox = jail_create(NULL);
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
	/* Before Linux 6.2 the last 64 pages need not have been counted. */
	ck_assert_uint_gt(result.memory_peak_kib, 0);
	ck_assert_uint_lt(result.memory_peak_kib, 4096);
	ck_assert_uint_gt(result.cpu_us, 0);
	ck_assert_int_eq(result.exit_code, 0);
}
END_TEST

/* The first process of a namespace, all others of which are jails. */
static int run_in_namespace(void)
{
	const struct sandbox_options options = {.temp_dir = "/tmp"};
	const struct run_request request = jail_request(&program, &plan);
	struct error err;
	struct sandbox *inner = sandbox_create(&options, &err);

	if (!inner || !sandbox_run_program(inner, &request, &result, &err))
		return 1;
	sandbox_destroy(inner);
	if (result.end != RUN_FINISHED || !result.memory_figures)
		return 2;
	return result.memory_peak_kib == 0 || result.memory_peak_kib > 4096;
}

/* So it is where a namespace was made without a /proc of its own. */
/* Who has made such a namespace can start nothing once its first is gone: so
   that is a process of its own, too. */
static int run_as_first(void)
{
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWPID) != 0)
		return 0; /* only root can */
	pid = fork();
	if (pid == 0)
		_exit(run_in_namespace());
	return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

START_TEST(figures_are_the_childs_own_where_proc_counts_otherwise)
{
	int status;
	pid_t pid;

	build(SOLVE(SUM));
	jail_plan_make(&plan, 1);
	pid = fork();
	if (pid == 0)
		_exit(run_as_first());
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* How programs end ------------------------------------------------------- */

#define CALL(...)                                                              \
	"#include <fcntl.h>\n#include <signal.h>\n"                            \
	"#include <sys/syscall.h>\n" SOLVE(                                    \
		"syscall(" #__VA_ARGS__ "); return 1;")

static const struct {
	const char *rule;
	const char *source;
	enum run_end end;
	int number; /* the signal or the exit code */
	const char *violation;
} endings[] = {
	{"exit(0) in a call", SOLVE("exit(0);"), RUN_EXITED, 0, ""},
	{"exit(3) in a call", SOLVE("exit(3);"), RUN_EXITED, 3, ""},
	{"_exit(0) in a call", SOLVE("_exit(0);"), RUN_EXITED, 0, ""},
	{"quick_exit(7)", SOLVE("quick_exit(7);"), RUN_EXITED, 7, ""},
	{"the runner's own exit, before its time",
		"void grader_exit(void);\n" SOLVE("grader_exit();"), RUN_EXITED,
		0, ""},
	{"the code of a start that failed", CALL(SYS_exit_group, 0x100000000),
		RUN_EXITED, 0, ""},
	{"exit(0) in a constructor",
		"#include <stdlib.h>\n__attribute__((constructor)) void f(void)"
		" { exit(0); }\n" SOLVE(SUM),
		RUN_EXITED, 0, ""},
	{"abort()", SOLVE("abort();"), RUN_ABORTED, SIGABRT, ""},
	{"abort() with SIGABRT blocked and ignored",
		"#include <signal.h>\n" SOLVE(
			"sigset_t s; sigfillset(&s); sigprocmask(0, &s, 0);"
			"signal(SIGABRT, SIG_IGN); abort();"),
		RUN_ABORTED, SIGABRT, ""},
	{"raise(SIGABRT)",
		"#include <signal.h>\n" SOLVE("raise(SIGABRT); return 5;"),
		RUN_ABORTED, SIGABRT, ""},
	{"an illegal instruction", SOLVE("__builtin_trap();"), RUN_SIGNALED,
		SIGILL, ""},
	{"a stack that is smashed",
		SOLVE("volatile char a[8]; for (volatile int i = 0; i < 64;"
		      " i++) a[i] = 1;"),
		RUN_SIGNALED, SIGSEGV, ""},
	{"a double free",
		SOLVE("void *volatile p = malloc(99); free(p);"
		      " free(p);"),
		RUN_SIGNALED, SIGSEGV, ""},
	{"fork()", SOLVE("fork();"), RUN_VIOLATION, 0, "fork"},
	{"vfork()", SOLVE("vfork();"), RUN_VIOLATION, 0, "vfork"},
	{"clone()", CALL(SYS_clone, SIGCHLD, 0, 0, 0, 0), RUN_VIOLATION, 0,
		"clone"},
	{"clone3()", CALL(SYS_clone3, 0, 0), RUN_VIOLATION, 0, "clone3"},
	{"a thread",
		"#include <pthread.h>\nvoid *f(void *p) { return p; }\n" SOLVE(
			"pthread_t t; pthread_create(&t, 0, f, 0);"),
		RUN_VIOLATION, 0, "clone"},
	{"socket()",
		"#include <sys/socket.h>\n" SOLVE("socket(AF_INET, 1, 0);"),
		RUN_VIOLATION, 0, "socket"},
	{"a constructor that calls socket()",
		"#include <sys/socket.h>\n__attribute__((constructor)) void"
		" f(void) { socket(AF_INET, 1, 0); }\n" SOLVE(SUM),
		RUN_VIOLATION, 0, "socket"},
	{"fopen()", SOLVE("fopen(\"/etc/passwd\", \"r\");"), RUN_VIOLATION, 0,
		"open"},
	{"what glibc makes of open()",
		CALL(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY),
		RUN_VIOLATION, 0, "open"},
	{"openat()", CALL(SYS_openat, 0, "x", O_RDONLY), RUN_VIOLATION, 0,
		"openat"},
	{"what glibc makes of fork(): child tid set and cleared, SIGCHLD",
		CALL(SYS_clone, 0x1200011, 0, 0, 0, 0), RUN_VIOLATION, 0,
		"fork"},
	{"kill() of the parent",
		"#include <signal.h>\n" SOLVE("kill(getppid(), SIGKILL);"),
		RUN_VIOLATION, 0, "kill"},
	{"tkill() of the parent", CALL(SYS_tkill, getppid(), SIGABRT),
		RUN_VIOLATION, 0, "tkill"},
	{"tgkill() of the parent",
		CALL(SYS_tgkill, getppid(), getppid(), SIGABRT), RUN_VIOLATION,
		0, "tgkill"},
	{"tgkill() of the parent's thread",
		CALL(SYS_tgkill, getpid(), getppid(), SIGABRT), RUN_VIOLATION,
		0, "tgkill"},
	{"sleep()", SOLVE("sleep(1);"), RUN_VIOLATION, 0, "nanosleep"},
	{"pause()", SOLVE("pause();"), RUN_VIOLATION, 0, "pause"},
	{"SIGSTOP to itself", "#include <signal.h>\n" SOLVE("raise(SIGSTOP);"),
		RUN_VIOLATION, 0, "tkill"},
	{"execve()", SOLVE("execl(\"/bin/sh\", \"sh\", (char *)0);"),
		RUN_VIOLATION, 0, "execve"},
	{"a program by its whole path, for which no descriptor counts",
		"#include <sys/syscall.h>\n" SOLVE(
			"char *v[] = {0}; syscall(SYS_execveat, 10,"
			" \"/proc/self/exe\", v, v, 0x1000); return 1;"),
		RUN_VIOLATION, 0, "execveat"},
	{"a path that is not there, likewise",
		"#include <sys/syscall.h>\n" SOLVE(
			"char *v[] = {0}; syscall(SYS_execveat, 10,"
			" \"/none/such\", v, v, 0x1000); return 1;"),
		RUN_VIOLATION, 0, "execveat"},
	{"the time that another process has used",
		"#include <sys/syscall.h>\n" SOLVE(
			"long t[2]; syscall(SYS_clock_gettime,"
			" ~getppid() * 8 | 2, t); return 1;"),
		RUN_VIOLATION, 0, "clock_gettime"},
	{"ptrace()", CALL(SYS_ptrace, 0, 0, 0, 0), RUN_VIOLATION, 0, "ptrace"},
	{"io_uring_setup()", CALL(425, 1, 0), RUN_VIOLATION, 0,
		"io_uring_setup"},
	{"exit of the one thread", CALL(SYS_exit, 0), RUN_VIOLATION, 0, "exit"},
	{"memory to execute",
		"#include <sys/mman.h>\n" SOLVE("mmap(0, 4096, 7, 34, -1, 0);"),
		RUN_VIOLATION, 0, "mmap"},
	{"inputs made writable",
		"#include <sys/mman.h>\n" SOLVE(
			"mprotect((void *)((uintptr_t)x & -4096), 4096, 7);"),
		RUN_VIOLATION, 0, "mprotect"},
	{"a shorter outputs file", CALL(SYS_ftruncate, 4, 0), RUN_VIOLATION, 0,
		"ftruncate"},
	{"a hole in the outputs file", CALL(SYS_fallocate, 4, 3, 0, 4096),
		RUN_VIOLATION, 0, "fallocate"},
	{"write() into the outputs", SOLVE("write(4, x, 8);"), RUN_VIOLATION, 0,
		"write"},
	{"a limit raised",
		"#include <sys/resource.h>\n" SOLVE(
			"struct rlimit r = {9, 9}; setrlimit(0, &r);"),
		RUN_VIOLATION, 0, "prlimit64"},
	{"a number that no kernel has", CALL(3333), RUN_VIOLATION, 0, ""},
	{"getpid() of x32", CALL(0x40000000 + SYS_getpid), RUN_VIOLATION, 0,
		"getpid"},
	{"getpid() by int 0x80",
		SOLVE("int r; __asm__ volatile (\"int $0x80\" : \"=a\"(r)"
		      " : \"a\"(20)); return r;"),
		RUN_VIOLATION, 0, "getpid"},
	{"crash reports without end",
		"#include <sys/syscall.h>\n" SOLVE(
			"for (;;) syscall(9001, 11, 0, 0, 0, 0, 99);"),
		RUN_VIOLATION, 0, ""},
};

START_TEST(an_end_is_told)
{
	build_and_run(endings[_i].source, 3);
	ck_assert_msg(result.end == endings[_i].end,
		"%s: end %d, signal %d, violation '%s', %lld", endings[_i].rule,
		(int)result.end, result.signal, result.violation.name,
		(long long)result.violation.number);
	if (result.end == RUN_EXITED)
		ck_assert_int_eq(result.exit_code, endings[_i].number);
	else if (result.end != RUN_VIOLATION)
		ck_assert_int_eq(result.signal, endings[_i].number);
	ck_assert_msg(strcmp(result.violation.name, endings[_i].violation) == 0,
		"%s: %s", endings[_i].rule, result.violation.name);
	ck_assert_uint_lt(plan.progress->done, 3);
}
END_TEST

/* What is allowed --------------------------------------------------------- */

static const struct {
	const char *rule;
	const char *source;
} harmless[] = {
	{"memcpy, write, exit and malloc may be the learner's",
		"#include <stddef.h>\n"
		"int n_calls;\n"
		"void *memcpy(void *a, const void *b, size_t n)"
		" { n_calls++; return 0; }\n"
		"void *memset(void *a, int c, size_t n) { n_calls++; return 0;"
		" }\n"
		"long write(int a, const void *b, size_t n) { n_calls++;"
		" return 0; }\n"
		"void exit(int c) { n_calls++; for (;;); }\n"
		"void _exit(int c) { n_calls++; for (;;); }\n"
		"void *malloc(size_t n) { n_calls++; return 0; }\n"
		"void free(void *p) { n_calls++; }\n"
		"double solve(const double *x, size_t n, double *y) {" SUM
		" }"},
	{"so may main",
		"#include <stdlib.h>\nint main(void) { exit(9); }\n" SOLVE(
			SUM)},
	{"an empty standard input is read to its end",
		SOLVE("int c; if (getchar() != EOF || scanf(\"%d\", &c) != EOF)"
		      " return 77;" SUM)},
	{"printf, perror and qsort",
		"#include <errno.h>\nint f(const void *a, const void *b) {"
		" return *(const int *)a - *(const int *)b; }\n" SOLVE(
			"int a[3] = {3, 1, 2}; qsort(a, 3, sizeof(int), f);"
			"printf(\"%d %f\\n\", a[0], x[0]); "
			"perror(\"x\");" SUM)},
	{"malloc, realloc and free up to megabytes",
		SOLVE("char *p = 0; for (size_t k = 1; k < 16 << 20; k *= 2) {"
		      " p = realloc(p, k); if (!p) return 77; p[k - 1] = 1; }"
		      "free(p);" SUM)},
	{"time",
		"#include <time.h>\n" SOLVE("if (time(0) <= 0 || clock() < 0)"
					    " return 77;" SUM)},
	{"MMX tags, a rounding mode, exceptions and direction left behind",
		"#include <fenv.h>\n" SOLVE(
			"if (fegetround() != FE_TONEAREST) return 77;"
			"unsigned f; __asm__ volatile(\"pushf\\npop %q0\" :"
			" \"=r\"(f)); if (f & 0x400) return 78;"
			"long double l = x[0]; if (!(l + 1 > l)) return 79;"
			"double s = 0; for (size_t i = 0; i < n; i++) { y[i] ="
			" 2 * x[i]; s += x[i]; }"
			"fesetround(FE_UPWARD); unsigned m = 0x8040 | 0x1f80;"
			"__asm__ volatile(\"ldmxcsr %0\" : : \"m\"(m));"
			"__asm__ volatile(\"pxor %%mm0, %%mm0\" : : : \"mm0\");"
			"__asm__ volatile(\"std\"); return s;")},
	{"getenv of an empty environment",
		"extern char **environ;\n" SOLVE(
			"if (environ[0] || getenv(\"PATH\")) return 77;" SUM)},
};

START_TEST(harmless_programs_pass)
{
	const char *const libc = _i % 2 ? "glibc" : "musl";
	const size_t which = (size_t)_i / 2;
	struct run_request request;

	/* In glibc, the functions of the first one stand in one object with
	   others: it cannot be linked. */
	if (_i == 1)
		return;
	program = jail_build_with(libc, harmless[which].source);
	jail_plan_make(&plan, 3);
	request = jail_request(&program, &plan);
	run(&request);
	ck_assert_msg(result.end == RUN_FINISHED,
		"%s, %s: end %d, code %d, signal %d, violation '%s'",
		harmless[which].rule, libc, (int)result.end, result.exit_code,
		result.signal, result.violation.name);
	ck_assert_msg(jail_output(&plan, 0)[JAIL_ELEMENTS] < 70, "%s, %s: %g",
		harmless[which].rule, libc,
		jail_output(&plan, 0)[JAIL_ELEMENTS]);
	check_sums(3);
}
END_TEST

/* Crashes ----------------------------------------------------------------- */

/* The place of a symbol that the program marks by asm labels. */
static uint64_t place(const char *name)
{
	return jail_symbol(&program, name);
}

static void check_crash(int number, uint64_t address, bool write)
{
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_int_eq(result.signal, number);
	ck_assert(result.crash_known);
	ck_assert_int_eq(result.crash_signal, number);
	ck_assert_uint_eq(result.crash_address, address);
	ck_assert_int_eq(result.crash_write, write);
	ck_assert(result.memory_figures);
	ck_assert(result.in_call);
}

/* The first return address is the one behind the shim's call. */
static void check_frames(void)
{
	const uint64_t call = place("grader_call");

	ck_assert_uint_ge(result.n_frames, 1);
	ck_assert_uint_gt(result.frames[0], call);
	ck_assert_uint_lt(result.frames[0], call + 64);
}

START_TEST(a_write_to_null_is_told_with_address_and_place)
{
	build_and_run(
		SOLVE("if (x[0] == 20) *(volatile double *)0 = 1;" SUM), 5);
	check_crash(SIGSEGV, 0, true);
	ck_assert_int_eq(result.crash_code, 1); /* SEGV_MAPERR */
	ck_assert_uint_eq(result.call, 2);
	ck_assert_uint_eq(plan.progress->done, 2);
	ck_assert_uint_ge(result.crash_pc, place("solve"));
	ck_assert_uint_lt(result.crash_pc, place("solve") + 512);
	check_frames();
	ck_assert_double_eq(jail_output(&plan, 1)[1], 22);
}
END_TEST

START_TEST(a_read_past_an_input_is_told_to_the_byte)
{
	build_and_run(SOLVE("return x[n + (size_t)(x[0] / 10)];"), 5);
	check_crash(SIGSEGV, plan.input_end, false);
	ck_assert_uint_eq(result.call, 0);
}
END_TEST

START_TEST(a_read_before_an_input_is_told_to_the_byte)
{
	build_and_run(SOLVE("return x[-600];"), 1);
	check_crash(SIGSEGV, plan.input - 600 * sizeof(double), false);
}
END_TEST

START_TEST(a_write_past_an_output_is_told_to_the_byte)
{
	build_and_run(SOLVE("y[n + 2] = 1;"), 1);
	check_crash(SIGSEGV, plan.output_end + 2 * sizeof(double), true);
}
END_TEST

START_TEST(a_write_to_an_input_is_told)
{
	build_and_run(SOLVE("((double *)x)[1] = 3;"), 1);
	check_crash(SIGSEGV, plan.input + sizeof(double), true);
}
END_TEST

START_TEST(a_fault_in_libc_names_the_learners_call)
{
	build_and_run(SOLVE("memset(y, 0, 1 << 20); __asm__ volatile(\".global"
			    " behind\\nbehind:\");"),
		1);
	ck_assert_int_eq(result.signal, SIGSEGV);
	ck_assert(result.crash_known);
	ck_assert_uint_ge(result.n_frames, 2);
	ck_assert_uint_ge(result.frames[0], place("solve"));
	ck_assert_uint_le(result.frames[0], place("behind"));
	ck_assert_uint_ge(result.frames[0], place("behind") - 16);
}
END_TEST

START_TEST(an_abort_names_the_learners_call)
{
	build_and_run(SOLVE("if (x[0] == 10) abort();"), 3);
	ck_assert_int_eq(result.end, RUN_ABORTED);
	ck_assert(result.crash_known);
	ck_assert_uint_eq(result.call, 1);
	size_t found = 0;

	while (found < result.n_frames &&
		(result.frames[found] <= place("solve") ||
			result.frames[found] > place("solve") + 64))
		found++;
	ck_assert_uint_lt(found, result.n_frames);
}
END_TEST

START_TEST(a_division_by_zero_is_told)
{
	build_and_run(SOLVE("volatile int z = 0; return 3 / z;"), 1);
	check_crash(SIGFPE, result.crash_pc, false);
	ck_assert_int_eq(result.crash_code, 1); /* FPE_INTDIV */
}
END_TEST

START_TEST(a_stack_overflow_is_told_by_address_and_sp)
{
	build_and_run("double deep(double x) { volatile char a[999]; a[0] = 1;"
		      " return x > 0 ? deep(x + 1) + a[0] : x; }\n" SOLVE(
			      "return deep(1);"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_int_eq(result.signal, SIGSEGV);
	ck_assert(result.crash_known);
	ck_assert_uint_ge(result.n_frames, 4);
	ck_assert_uint_lt(result.crash_address, result.crash_sp + 2048);
	ck_assert_uint_gt(result.crash_address + 2048, result.crash_sp);
	/* All of the limit was used. */
	ck_assert_uint_lt(result.crash_sp,
		result.stack_top - jail_limits.stack_bytes + 0x10000);
}
END_TEST

START_TEST(a_large_local_array_that_does_not_fit_is_told)
{
	build_and_run(SOLVE("volatile double a[1 << 21]; a[5] = x[0]; y[0] ="
			    " a[5];"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert(result.crash_known);
	ck_assert_uint_lt(result.crash_address - result.crash_sp, 1 << 24);
	check_frames();
}
END_TEST

START_TEST(a_forged_frame_pointer_does_no_harm)
{
	build_and_run(SOLVE("__asm__ volatile(\"lea -0x100000(%rsp), %rsp\\n"
			    "lea 0x1000(%rsp), %rbp\\nmov 0, %rax\");"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_int_eq(result.signal, SIGSEGV);
}
END_TEST

/* Limits ------------------------------------------------------------------ */

#define SPIN                                                                   \
	"#include <time.h>\nstatic void spin(double ms) { struct timespec t;"  \
	" double a, b; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); a ="       \
	" t.tv_sec * 1e3 + t.tv_nsec / 1e6; do { clock_gettime("               \
	"CLOCK_PROCESS_CPUTIME_ID, &t); b = t.tv_sec * 1e3 + t.tv_nsec / 1e6;" \
	" } while (b - a < ms); }\n"

START_TEST(an_endless_loop_ends_soon_after_the_limit)
{
	const uint64_t limit_us = jail_limits.cpu_call_ms * 1000;

	build_and_run(SOLVE("while (x[0] == 510) ;" SUM), 100);
	ck_assert_int_eq(result.end, RUN_CPU_CALL);
	ck_assert_uint_eq(result.call, 51);
	ck_assert(result.in_call);
	ck_assert_uint_eq(plan.progress->done, 51);
	ck_assert_uint_ge(result.cpu_us, limit_us);
	ck_assert_uint_le(result.cpu_us, limit_us * 3 / 2);
	ck_assert_double_eq(jail_output(&plan, 50)[0], 1000);
}
END_TEST

/* However late we looked: how many such calls there is time for is a count. */
START_TEST(a_first_call_without_end_has_used_just_the_limit)
{
	build_and_run(SOLVE("while (x[0] == 0) ;" SUM), 100);
	ck_assert_int_eq(result.end, RUN_CPU_CALL);
	ck_assert_uint_eq(result.call, 0);
	ck_assert_uint_eq(result.cpu_us, jail_limits.cpu_call_ms * 1000);
}
END_TEST

START_TEST(calls_just_below_the_limit_are_not_killed)
{
	build_and_run(SPIN SOLVE("spin(175);" SUM), 10);
	check_sums(10);
	ck_assert_uint_ge(result.cpu_us, 1750000);
}
END_TEST

START_TEST(all_calls_together_have_a_limit)
{
	struct run_request request;

	build(SPIN SOLVE("spin(30);" SUM));
	jail_plan_make(&plan, 20);
	request = jail_request(&program, &plan);
	request.limits.cpu_total_ms = 300;
	run(&request);
	ck_assert_int_eq(result.end, RUN_CPU_TOTAL);
	ck_assert_uint_ge(result.cpu_us, 300000);
	ck_assert_uint_le(result.cpu_us, 450000);
	ck_assert_uint_ge(plan.progress->done, 8);
}
END_TEST

static bool has_layer(const char *name)
{
	size_t count;
	const struct layer *layers = sandbox_layers(sandbox, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(layers[i].name, name) == 0)
			return layers[i].state == LAYER_OK;
	return false;
}

/* So that what crashes, or uses what was never set, does so again. */
START_TEST(stack_and_heap_are_where_they_were_in_another_run)
{
	struct run_request request;
	double before[2];

	if (!has_layer("fixed addresses"))
		return;
	build(SOLVE("char local; char *volatile block = malloc(100);"
		    "y[0] = (double)(uintptr_t)&local;"
		    "y[1] = (double)(uintptr_t)block;"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	for (int i = 0; i < 4; i++) {
		run(&request);
		if (i > 0)
			ck_assert_mem_eq(
				jail_output(&plan, 0), before, sizeof(before));
		memcpy(before, jail_output(&plan, 0), sizeof(before));
	}
}
END_TEST

START_TEST(a_forged_counter_gains_no_more_than_the_total)
{
	struct run_request request;

	/* Its first page of fd 4, mapped once more. */
	build("#include <sys/mman.h>\n#include \"sandbox/protocol.h\"\n" SOLVE(
		"volatile struct progress *p = mmap(0, 4096, 3, MAP_SHARED, 4,"
		" 0); for (;;) p->current++;"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	request.limits.cpu_total_ms = 500;
	run(&request);
	ck_assert_int_eq(result.end, RUN_CPU_TOTAL);
	ck_assert_uint_le(result.cpu_us, 750000);
	ck_assert_uint_eq(result.call, 0);
}
END_TEST

/* struct progress: first, end, current, done. */
#define PROGRESS                                                               \
	"uint64_t *p = mmap(0, 4096, 3, MAP_SHARED, 4, 0);"                    \
	"if (p == MAP_FAILED) return 77;"

START_TEST(which_calls_there_are_to_make_is_not_asked_of_the_child)
{
	build_and_run("#include <sys/mman.h>\n" SOLVE(
			      PROGRESS "p[0] = 1u << 30; p[1] = 1u << 31;"
				       " p[2] = 1000; p[3] = 999; abort();"),
		3);
	ck_assert_int_eq(result.end, RUN_ABORTED);
	ck_assert_uint_lt(result.call, 3);
}
END_TEST

START_TEST(an_exit_is_the_runners_own_at_its_address_alone)
{
	build_and_run("#include <sys/mman.h>\n" SOLVE(
			      PROGRESS "p[3] = p[1] - p[0]; _exit(0);"),
		3);
	ck_assert_uint_eq(plan.progress->done, 3);
	ck_assert_int_eq(result.end, RUN_EXITED);
}
END_TEST

START_TEST(none_left_to_make_is_not_believed_either)
{
	build_and_run("#include <sys/mman.h>\nvoid grader_exit(void);\n" SOLVE(
			      PROGRESS "p[1] = p[0] = p[3] = 0;"
				       "grader_exit();"),
		3);
	ck_assert_int_eq(result.end, RUN_EXITED);
}
END_TEST

START_TEST(asking_without_end_is_no_way_around_the_limit)
{
	const uint64_t most = jail_limits.cpu_call_ms * 1000 * 3 / 2;
	struct run_request request;
	uint64_t before;

	build(SOLVE("for (;;) y[0] += malloc(1u << 30) == 0;"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	before = clock_read_us(CLOCK_THREAD_CPUTIME_ID);
	run(&request);
	ck_assert_int_eq(result.end, RUN_CPU_CALL);
	ck_assert_uint_le(result.cpu_us, most);
	/* Answering is paid for as well. */
	ck_assert_uint_le(
		clock_read_us(CLOCK_THREAD_CPUTIME_ID) - before, most);
}
END_TEST

START_TEST(a_large_request_is_refused_in_bytes)
{
	build_and_run(
		SOLVE("volatile char *p = malloc(1u << 30); if (p) return 77;"
		      "p[(size_t)x[0]] = 1;"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_int_eq(result.signal, SIGSEGV);
	ck_assert_uint_ge(result.memory_refused, 1u << 30);
	ck_assert_uint_le(result.memory_refused, (1u << 30) + 65536);
}
END_TEST

START_TEST(requests_that_fit_singly_are_refused_together)
{
	build_and_run(SOLVE("for (int i = 0; i < 9; i++) {"
			    " volatile char *p = malloc(10 << 20);"
			    " p[5] = 1; }"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_uint_ge(result.memory_refused, 10u << 20);
	ck_assert_uint_le(result.memory_refused, (10u << 20) + 65536);
}
END_TEST

START_TEST(a_block_that_grows_too_large_is_refused)
{
	build_and_run(SOLVE("char *p = 0; for (size_t k = 1 << 18; ; k *= 2) {"
			    " p = realloc(p, k); p[k - 1] = 1; }"),
		1);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert_uint_ge(result.memory_refused, 64u << 20);
}
END_TEST

START_TEST(small_requests_without_end_are_told_as_refused)
{
	const char *const libc = _i ? "glibc" : "musl";
	struct run_request request;

	program = jail_build_with(libc,
		SOLVE("for (;;) { volatile char *p = malloc(3000);"
		      " p[7] = 1; }"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	/* Sixteen thousand page faults: slow in an emulated machine. */
	request.limits.cpu_call_ms = 2000;
	run(&request);
	ck_assert_int_eq(result.end, RUN_SIGNALED);
	ck_assert(result.crash_known);
	ck_assert_uint_lt(result.crash_address, 4096);
	ck_assert_uint_gt(result.memory_refused, 0);
	ck_assert_uint_gt(result.memory_peak_kib, 59u << 10);
	ck_assert_uint_lt(result.memory_peak_kib, 80u << 10);
}
END_TEST

START_TEST(a_refusal_that_was_got_over_is_not_why_a_later_call_ended)
{
	build_and_run(SOLVE("if (x[0] == 0 && malloc(1u << 30)) return 77;"
			    "if (x[0] == 20) abort();" SUM),
		4);
	ck_assert_int_eq(result.end, RUN_ABORTED);
	ck_assert_uint_eq(result.call, 2);
	ck_assert_uint_eq(result.memory_refused, 0);
}
END_TEST

START_TEST(memory_within_the_limit_is_granted)
{
	build_and_run(
		SOLVE("char *volatile p = malloc(60 << 20); if (!p) return 77;"
		      "memset(p, 1, 60 << 20); free(p);" SUM),
		3);
	check_sums(3);
	ck_assert_uint_eq(result.memory_refused, 0);
	ck_assert_uint_gt(result.memory_peak_kib, 59u << 10);
}
END_TEST

START_TEST(a_flood_of_text_ends_at_the_limit)
{
	char text[64];

	build_and_run(SOLVE("for (int i = 0; i < 100 << 10; i++)"
			    " printf(\"%1024d\", i);"),
		1);
	ck_assert_int_eq(result.end, RUN_TEXT_LIMIT);
	ck_assert_int_eq(
		lseek(plan.text, 0, SEEK_END), (off_t)jail_limits.text_bytes);
	ck_assert_uint_eq(jail_text(&plan, text, sizeof(text)), 63);
	ck_assert_uint_eq(plan.progress->done, 0);
}
END_TEST

START_TEST(text_is_kept_in_order_and_each_call_knows_its_end)
{
	char text[256];

	build_and_run(SOLVE("printf(\"out %g\\n\", x[0]); fprintf(stderr,"
			    " \"err\\n\"); if (x[0] == 20) abort();"),
		3);
	jail_text(&plan, text, sizeof(text));
	ck_assert_str_eq(text, "out 0\nerr\nout 10\nerr\nout 20\nerr\n");
	ck_assert_uint_eq(jail_text_end(&plan, 0), 10);
	ck_assert_uint_eq(jail_text_end(&plan, 1), 21);
	ck_assert_int_eq(result.end, RUN_ABORTED);
}
END_TEST

START_TEST(text_that_was_there_does_not_count)
{
	struct run_request request;

	build(SOLVE("for (int i = 0; i < 50; i++) putchar('x');" SUM));
	jail_plan_make(&plan, 2);
	request = jail_request(&program, &plan);
	request.limits.text_bytes = 150;
	for (int i = 0; i < 3; i++) {
		run(&request);
		check_sums(2);
	}
	ck_assert_int_eq(lseek(plan.text, 0, SEEK_END), 300);
}
END_TEST

START_TEST(a_run_goes_on_from_any_call)
{
	struct run_request request;

	build(SOLVE(SUM));
	jail_plan_make(&plan, 10);
	request = jail_request(&program, &plan);
	plan.progress->first = 4;
	plan.progress->end = 7;
	run(&request);
	ck_assert_int_eq(result.end, RUN_FINISHED);
	ck_assert_uint_eq(plan.progress->done, 3);
	ck_assert_double_eq(jail_output(&plan, 3)[0], 0);
	ck_assert_double_eq(jail_output(&plan, 4)[0], 80);
	ck_assert_double_eq(jail_output(&plan, 6)[0], 120);
	ck_assert_double_eq(jail_output(&plan, 7)[0], 0);
}
END_TEST

/* Fillings ---------------------------------------------------------------- */

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

START_TEST(what_was_never_set_says_where_it_comes_from)
{
	build_and_run("__attribute__((noinline)) static double local(void)"
		      " { volatile double a[20]; return a[3]; }\n" SOLVE(
			      "y[0] = x[-1] + 1; y[1] += 1; y[2] = local() + 1;"
			      " return 0;"),
		2);
	ck_assert_int_eq(result.end, RUN_FINISHED);
	for (size_t c = 0; c < 2; c++) {
		const double *y = jail_output(&plan, c);

		ck_assert_uint_eq(bits_of(y[0]),
			FILL_DOUBLE(FILL_BEFORE, plan.nonce) | FILL_QUIET_BIT);
		ck_assert_uint_eq(bits_of(y[1]),
			FILL_DOUBLE(FILL_OUTPUT, plan.nonce) | FILL_QUIET_BIT);
		ck_assert_uint_eq(bits_of(y[2]),
			FILL_DOUBLE(FILL_STACK, plan.nonce) | FILL_QUIET_BIT);
		ck_assert_uint_eq(
			bits_of(y[3]), FILL_DOUBLE(FILL_OUTPUT, plan.nonce));
	}
}
END_TEST

/* Surroundings ------------------------------------------------------------ */

START_TEST(no_other_descriptor_is_open)
{
	/* These would survive execve(). */
	ck_assert_int_ge(fcntl(0, F_DUPFD, 5), 5);
	ck_assert_int_eq(fcntl(0, F_DUPFD, 900), 900);
	/* lseek() is allowed on any: EBADF is -9. */
	build_and_run("#include <errno.h>\n" SOLVE(
			      "for (int fd = 0; fd < 1100; fd++) { int open ="
			      " lseek(fd, 0, 1) >= 0 || errno != EBADF;"
			      " if (open != (fd < 5)) return fd + 1; }" SUM),
		1);
	check_sums(1);
}
END_TEST

/* The lowest descriptor that is free. */
static int next_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

START_TEST(a_run_leaves_nothing_behind)
{
	const int before = next_fd();
	struct run_request request;

	build(SOLVE("if (x[0] == 0) *(volatile char *)0 = 1;" SUM));
	jail_plan_make(&plan, 2);
	request = jail_request(&program, &plan);
	const int with_plan = next_fd();

	for (int i = 0; i < 1000; i++) {
		plan.progress->first = (uint64_t)(i % 2);
		run(&request);
		ck_assert_int_eq(
			result.end, i % 2 ? RUN_FINISHED : RUN_SIGNALED);
	}
	ck_assert_int_ge(with_plan, before);
	ck_assert_int_eq(next_fd(), with_plan);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(a_program_cannot_be_started_again)
{
	build_and_run("#include <sys/syscall.h>\n" SOLVE(
			      "char *v[] = {0}; syscall(SYS_execveat, 10,"
			      " \"\", v, v, 0x1000); return 1;"),
		1);
	ck_assert_int_eq(result.end, RUN_VIOLATION);
	ck_assert_str_eq(result.violation.name, "execveat");
}
END_TEST

START_TEST(it_has_ids_of_its_own_if_we_can_give_them)
{
	build_and_run(SOLVE("y[0] = getuid(); y[1] = geteuid(); y[2] ="
			    " getgid(); y[3] = getegid();"),
		1);
	ck_assert_int_eq(result.end, RUN_FINISHED);
	for (size_t i = 0; i < JAIL_ELEMENTS; i++)
		ck_assert_double_eq(jail_output(&plan, 0)[i],
			sandbox->run_slot.change_ids
				? (double)sandbox->run_slot.uid
				: (double)(i < 2 ? getuid() : getgid()));
}
END_TEST

/* The first child of pid that is neither known nor other; 0: none. */
static pid_t find_child(pid_t pid, pid_t known, pid_t other)
{
	char path[64], line[512];
	char *rest = line;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	for (;;) {
		pid_t child = (pid_t)strtol(rest, &rest, 10);

		if (child == 0 || (child > known && child != other))
			return child;
	}
}

START_TEST(no_child_outlives_us)
{
	struct run_request request;
	pid_t grader, child;
	struct pollfd poll_fd = {.events = POLLIN};

	build(SOLVE("for (;;) ;"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	request.limits.cpu_call_ms = 30000;
	request.limits.cpu_total_ms = 30000;
	grader = fork();
	if (grader == 0) {
		struct error err;

		_exit(sandbox_run_program(sandbox, &request, &result, &err));
	}
	do {
		usleep(5000);
		child = find_child(grader, 0, 0);
	} while (child == 0);
	usleep(20000);
	poll_fd.fd = (int)syscall(SYS_pidfd_open, child, 0);
	ck_assert_int_ge(poll_fd.fd, 0);
	ck_assert_int_eq(poll(&poll_fd, 1, 0), 0);
	kill(grader, SIGKILL);
	waitpid(grader, NULL, 0);
	ck_assert_int_eq(poll(&poll_fd, 1, 1000), 1);
	close(poll_fd.fd);
}
END_TEST

START_TEST(a_run_can_be_cancelled)
{
	struct run_request request;
	struct error err = {0};
	int pipes[2];

	build(SOLVE("for (;;) ;"));
	jail_plan_make(&plan, 1);
	ck_assert_int_eq(pipe(pipes), 0);
	request = jail_request(&program, &plan);
	request.cancel = pipes[0];
	ck_assert_int_eq(write(pipes[1], "", 1), 1);
	ck_assert(!sandbox_run_program(sandbox, &request, &result, &err));
	ck_assert_str_eq(err.message, "the run was cancelled");
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

/* In a process of its own: stops the first children of its parent. */
static void stop_children(int how_many)
{
	pid_t last = 0;

	while (how_many > 0) {
		pid_t child = find_child(getppid(), last, getpid());

		usleep(30000);
		if (child == 0)
			continue;
		kill(child, SIGSTOP);
		last = child;
		how_many--;
	}
	_exit(0);
}

static void run_with_stops(int how_many)
{
	struct run_request request;
	pid_t helper;

	build(SPIN SOLVE("printf(\"x\"); spin(150);" SUM));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	sandbox->patience_ms = 300;
	helper = fork();
	if (helper == 0)
		stop_children(how_many);
	run(&request);
	kill(helper, SIGKILL);
	waitpid(helper, NULL, 0);
}

START_TEST(a_process_that_gets_no_cpu_is_started_again)
{
	char text[16];

	run_with_stops(1);
	check_sums(1);
	jail_text(&plan, text, sizeof(text));
	ck_assert_str_eq(text, "x");
}
END_TEST

START_TEST(a_machine_that_gives_no_cpu_is_not_the_learners_fault)
{
	run_with_stops(2);
	ck_assert_int_eq(result.end, RUN_STARVED);
}
END_TEST

START_TEST(our_patience_has_an_end)
{
	struct run_request request;

	build(SOLVE("for (;;) ;"));
	jail_plan_make(&plan, 1);
	request = jail_request(&program, &plan);
	request.limits.cpu_call_ms = 30000;
	request.limits.cpu_total_ms = 30000;
	request.deadline_ms = 100;
	run(&request);
	ck_assert_int_eq(result.end, RUN_STARVED);
	ck_assert_uint_lt(result.cpu_us, 150000);
}
END_TEST

static TCase *make_case(const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	return tcase;
}

static void add_crashes(Suite *suite)
{
	TCase *tcase = make_case("crashes");

	tcase_add_test(tcase, a_write_to_null_is_told_with_address_and_place);
	tcase_add_test(tcase, a_read_past_an_input_is_told_to_the_byte);
	tcase_add_test(tcase, a_read_before_an_input_is_told_to_the_byte);
	tcase_add_test(tcase, a_write_past_an_output_is_told_to_the_byte);
	tcase_add_test(tcase, a_write_to_an_input_is_told);
	tcase_add_test(tcase, a_fault_in_libc_names_the_learners_call);
	tcase_add_test(tcase, an_abort_names_the_learners_call);
	tcase_add_test(tcase, a_division_by_zero_is_told);
	tcase_add_test(tcase, a_stack_overflow_is_told_by_address_and_sp);
	tcase_add_test(tcase, a_large_local_array_that_does_not_fit_is_told);
	tcase_add_test(tcase, a_forged_frame_pointer_does_no_harm);
	suite_add_tcase(suite, tcase);
}

static void add_limits(Suite *suite)
{
	TCase *tcase = make_case("limits");

	tcase_add_test(tcase, an_endless_loop_ends_soon_after_the_limit);
	tcase_add_test(tcase, a_first_call_without_end_has_used_just_the_limit);
	tcase_add_test(tcase, calls_just_below_the_limit_are_not_killed);
	tcase_add_test(tcase, all_calls_together_have_a_limit);
	tcase_add_test(
		tcase, stack_and_heap_are_where_they_were_in_another_run);
	tcase_add_test(tcase, a_forged_counter_gains_no_more_than_the_total);
	tcase_add_test(
		tcase, which_calls_there_are_to_make_is_not_asked_of_the_child);
	tcase_add_test(tcase, an_exit_is_the_runners_own_at_its_address_alone);
	tcase_add_test(tcase, none_left_to_make_is_not_believed_either);
	tcase_add_test(tcase, asking_without_end_is_no_way_around_the_limit);
	tcase_add_test(tcase, a_large_request_is_refused_in_bytes);
	tcase_add_test(tcase, requests_that_fit_singly_are_refused_together);
	tcase_add_test(tcase, a_block_that_grows_too_large_is_refused);
	tcase_add_loop_test(
		tcase, small_requests_without_end_are_told_as_refused, 0, 2);
	tcase_add_test(tcase,
		a_refusal_that_was_got_over_is_not_why_a_later_call_ended);
	tcase_add_test(tcase, memory_within_the_limit_is_granted);
	tcase_add_test(tcase, a_flood_of_text_ends_at_the_limit);
	tcase_add_test(
		tcase, text_is_kept_in_order_and_each_call_knows_its_end);
	tcase_add_test(tcase, text_that_was_there_does_not_count);
	tcase_add_test(tcase, a_process_that_gets_no_cpu_is_started_again);
	tcase_add_test(
		tcase, a_machine_that_gives_no_cpu_is_not_the_learners_fault);
	tcase_add_test(tcase, our_patience_has_an_end);
	suite_add_tcase(suite, tcase);
}

Suite *run_jail_suite(void)
{
	Suite *suite = suite_create("run_jail");
	TCase *tcase = make_case("run_jail");

	tcase_add_test(tcase, right_answers_arrive);
	tcase_add_test(
		tcase, figures_are_the_childs_own_where_proc_counts_otherwise);
	tcase_add_loop_test(tcase, harmless_programs_pass, 0,
		2 * sizeof(harmless) / sizeof(harmless[0]));
	tcase_add_loop_test(
		tcase, an_end_is_told, 0, sizeof(endings) / sizeof(endings[0]));
	tcase_add_test(tcase, a_run_goes_on_from_any_call);
	tcase_add_test(tcase, what_was_never_set_says_where_it_comes_from);
	tcase_add_test(tcase, no_other_descriptor_is_open);
	tcase_add_test(tcase, a_run_leaves_nothing_behind);
	tcase_add_test(tcase, a_program_cannot_be_started_again);
	tcase_add_test(tcase, it_has_ids_of_its_own_if_we_can_give_them);
	tcase_add_test(tcase, no_child_outlives_us);
	tcase_add_test(tcase, a_run_can_be_cancelled);
	suite_add_tcase(suite, tcase);
	add_crashes(suite);
	add_limits(suite);
	return suite;
}
