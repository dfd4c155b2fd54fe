/* SPDX-License-Identifier: MIT */

/*
 * Every system call that there is, made by a program in the run jail.  What
 * must come of it is read from the table of the policy, not from the filter;
 * and for arguments that are more than 0 it is also written down here.
 */

#include "sandbox/policy.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"
#include "tests/suites.h"
#include "tests/support/probe.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
	NUMBERS = 601,
	URETPROBE = 335,
	UPROBE = 336,
	PAGE = 4096,
};

#define HIGH UINT64_C(0xffffffff00000000)

static struct probing *probing;

static void tear_down(void)
{
	if (probing)
		probing_destroy(probing);
}

/* The filter lets it pass, so the kernel does what the call is for. */
static void check_made(size_t which)
{
	const struct probe *probe = &probing->list[which];
	const struct run_result *result = &probing->result;

	if (probe->call == SYS_rt_sigreturn) {
		/* To wherever what lies on the stack says. */
		probing_check_end(probing, which, RUN_SIGNALED);
		ck_assert(
			result->signal == SIGSEGV || result->signal == SIGBUS);
	} else if (probe->call == SYS_exit_group) {
		probing_check_end(probing, which, RUN_EXITED);
		ck_assert_int_eq(result->exit_code, 0);
	} else {
		probing_check_end(probing, which, RUN_FINISHED);
	}
}

/* We were asked, and this is what we say to those without arguments. */
static void check_asked(size_t which)
{
	if (probing->list[which].call == CRASH_REPORT_CALL)
		probing_check_answer(probing, which, 0);
	else if (probing->list[which].call == SYS_exit_group)
		check_made(which);
	else
		ck_abort_msg("%s: is asked",
			probing_describe(&probing->list[which]));
}

/* Newer kernels show these to no filter: they are for pages that only tracing
   sets up, and from elsewhere they fail or kill. */
static bool is_hidden(size_t which)
{
	const struct probe *probe = &probing->list[which];
	const struct run_result *result = &probing->result;

	if (probe->way != PROBE_NATIVE ||
		(probe->call != URETPROBE && probe->call != UPROBE))
		return false;
	return (result->end == RUN_SIGNALED && result->signal == SIGILL) ||
		(result->end == RUN_FINISHED &&
			probing_returned(probing, which) < 0);
}

static void check(size_t which)
{
	const struct probe *probe = &probing->list[which];
	const struct filter_rule *rule = probe->way == PROBE_NATIVE
		? call_table_find(
			  &probing->table, probe->call, probe->arguments)
		: NULL;

	/* A kernel without int 0x80 answers with a fault. */
	if (probe->way == PROBE_INT_80 && probing->result.end == RUN_SIGNALED &&
		probing->result.signal == SIGSEGV)
		return;
	if (is_hidden(which))
		return;
	if (!rule)
		probing_check_violation(probing, which);
	else if (rule->action == SCMP_ACT_ALLOW)
		check_made(which);
	else if (rule->action == SCMP_ACT_NOTIFY)
		check_asked(which);
	else
		probing_check_answer(probing, which,
			-(double)(rule->action & SECCOMP_RET_DATA));
}

/* _i: with a listener or without. */
START_TEST(every_call_of_every_architecture_ends_as_the_table_says)
{
	static const int others[] = {
		CRASH_REPORT_CALL, 1000, 0x3fffffff, INT_MAX, INT_MIN, -1};

	probing = probing_create(_i == 0);
	for (int way = 0; way < PROBE_WAYS; way++) {
		for (int call = 0; call < NUMBERS; call++)
			probing_add(probing, (enum probe_way)way, call);
		for (size_t i = 0; i < sizeof(others) / sizeof(int); i++)
			probing_add(probing, (enum probe_way)way, others[i]);
	}
	probing_build(probing);
	for (size_t i = 0; i < probing->n; i++) {
		probing_run(probing, i);
		check(i);
	}
}
END_TEST

/* With arguments ------------------------------------------------------------
 */

enum outcome {
	MADE,    /* the kernel succeeds */
	FAILED,  /* it was made, and the kernel refuses */
	NO,      /* answered by an error, by the filter or by us */
	REFUSED, /* a violation */
	ABORTED,
	EXITED,
};

enum {
	READ_WRITE = PROT_READ | PROT_WRITE,
	ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS,
	SHARED = MAP_SHARED | MAP_ANONYMOUS,
	FIXED = ANONYMOUS | MAP_FIXED,
};

struct end {
	enum outcome outcome;
	int number; /* the error; the exit code */
};

#define ALIKE(outcome, number)                                                 \
	{outcome, number},                                                     \
	{                                                                      \
		outcome, number                                                \
	}
/* Where nobody can be asked, the answer is an error. */
#define APART(outcome, error)                                                  \
	{outcome, 0},                                                          \
	{                                                                      \
		NO, error                                                      \
	}

static const struct edge {
	const char *rule;
	int call;
	uint64_t a[6];
	struct end end, without;
} edges[] = {
	/* mmap */
	{"memory", SYS_mmap, {0, PAGE, READ_WRITE, ANONYMOUS, -1ull},
		ALIKE(MADE, 0)},
	{"shared memory of its own", SYS_mmap,
		{0, PAGE, READ_WRITE, SHARED, -1ull}, ALIKE(MADE, 0)},
	{"code", SYS_mmap, {0, PAGE, READ_WRITE | PROT_EXEC, ANONYMOUS, -1ull},
		ALIKE(REFUSED, 0)},
	{"code alone", SYS_mmap, {0, PAGE, PROT_EXEC, ANONYMOUS, -1ull},
		ALIKE(REFUSED, 0)},
	{"much code", SYS_mmap, {0, 2u << 20, PROT_EXEC, ANONYMOUS, -1ull},
		ALIKE(REFUSED, 0)},
	{"a guard", SYS_mmap, {0, PAGE, PROT_NONE, ANONYMOUS, -1ull},
		ALIKE(MADE, 0)},
	{"protection with dirt above", SYS_mmap,
		{0, PAGE, HIGH | PROT_READ, ANONYMOUS, -1ull}, ALIKE(MADE, 0)},
	{"huge pages", SYS_mmap,
		{0, PAGE, PROT_READ, ANONYMOUS | MAP_HUGETLB, -1ull},
		ALIKE(REFUSED, 0)},
	{"all but a page of a large block", SYS_mmap,
		{0, POLICY_LARGE_BYTES - PAGE, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(MADE, 0)},
	{"all but a byte of it", SYS_mmap,
		{0, POLICY_LARGE_BYTES - 1, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(MADE, 0)},
	{"a large block", SYS_mmap,
		{0, POLICY_LARGE_BYTES, PROT_READ, ANONYMOUS, -1ull},
		APART(MADE, ENOMEM)},
	{"one byte more", SYS_mmap,
		{0, POLICY_LARGE_BYTES + 1, PROT_READ, ANONYMOUS, -1ull},
		APART(MADE, ENOMEM)},
	{"more than the limit", SYS_mmap,
		{0, 128u << 20, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(NO, ENOMEM)},
	{"4 GiB and a little", SYS_mmap,
		{0, (1ull << 32) + PAGE, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(NO, ENOMEM)},
	{"all there is", SYS_mmap, {0, ~0ull, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(NO, ENOMEM)},
	{"nothing", SYS_mmap, {0, 0, PROT_READ, ANONYMOUS, -1ull},
		ALIKE(FAILED, EINVAL)},
	{"memory in place of an input", SYS_mmap,
		{PROBE_PAGE, PAGE, READ_WRITE, FIXED, -1ull}, ALIKE(MADE, 0)},
	{"code in place of an input", SYS_mmap,
		{PROBE_PAGE, PAGE, PROT_READ | PROT_EXEC, FIXED, -1ull},
		ALIKE(REFUSED, 0)},
	{"the lowest page, where NULL points", SYS_mmap,
		{0, PAGE, READ_WRITE, FIXED, -1ull}, ALIKE(FAILED, EPERM)},
	{"the plan", SYS_mmap, {0, PAGE, PROT_READ, MAP_SHARED, FD_PLAN},
		ALIKE(MADE, 0)},
	{"the plan, to be written", SYS_mmap,
		{0, PAGE, READ_WRITE, MAP_SHARED, FD_PLAN},
		ALIKE(FAILED, EPERM)},
	{"the plan as code", SYS_mmap,
		{0, PAGE, PROT_EXEC, MAP_SHARED, FD_PLAN}, ALIKE(REFUSED, 0)},
	{"the outputs, with dirt above", SYS_mmap,
		{0, PAGE, READ_WRITE, MAP_SHARED, HIGH | FD_OUTPUTS},
		ALIKE(MADE, 0)},
	{"the outputs over an input", SYS_mmap,
		{PROBE_PAGE, PAGE, READ_WRITE, MAP_SHARED | MAP_FIXED,
			FD_OUTPUTS},
		ALIKE(MADE, 0)},
	{"standard input", SYS_mmap, {0, PAGE, PROT_READ, MAP_SHARED, 0},
		ALIKE(REFUSED, 0)},
	{"what it printed", SYS_mmap, {0, PAGE, PROT_READ, MAP_SHARED, 1},
		ALIKE(REFUSED, 0)},
	{"the first descriptor that is closed", SYS_mmap,
		{0, PAGE, PROT_READ, MAP_SHARED, 5}, ALIKE(REFUSED, 0)},
	{"no descriptor", SYS_mmap, {0, PAGE, PROT_READ, MAP_SHARED, -1ull},
		ALIKE(REFUSED, 0)},

	/* mremap, mprotect, madvise, munmap */
	{"an input that grows", SYS_mremap,
		{PROBE_PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE}, ALIKE(MADE, 0)},
	{"a block that grows large", SYS_mremap,
		{PROBE_PAGE, PAGE, 2u << 20, MREMAP_MAYMOVE},
		APART(MADE, ENOMEM)},
	{"a block that grows too large", SYS_mremap,
		{PROBE_PAGE, PAGE, 128u << 20, MREMAP_MAYMOVE},
		ALIKE(NO, ENOMEM)},
	{"an input to be written", SYS_mprotect, {PROBE_PAGE, PAGE, READ_WRITE},
		ALIKE(MADE, 0)},
	{"an input as code", SYS_mprotect,
		{PROBE_PAGE, PAGE, PROT_READ | PROT_EXEC}, ALIKE(REFUSED, 0)},
	{"protection that is none", SYS_mprotect, {PROBE_PAGE, PAGE, 0x100},
		ALIKE(FAILED, EINVAL)},
	{"code, with dirt above", SYS_mprotect,
		{PROBE_PAGE, PAGE, HIGH | PROT_EXEC}, ALIKE(REFUSED, 0)},
	{"MADV_NORMAL", SYS_madvise, {PROBE_PAGE, PAGE, MADV_NORMAL},
		ALIKE(REFUSED, 0)},
	{"MADV_DONTNEED", SYS_madvise, {PROBE_PAGE, PAGE, MADV_DONTNEED},
		ALIKE(MADE, 0)},
	{"the same with dirt above", SYS_madvise,
		{PROBE_PAGE, PAGE, HIGH | MADV_DONTNEED}, ALIKE(MADE, 0)},
	{"MADV_REMOVE, which makes holes", SYS_madvise,
		{PROBE_PAGE, PAGE, MADV_REMOVE}, ALIKE(REFUSED, 0)},
	{"MADV_DOFORK", SYS_madvise, {PROBE_PAGE, PAGE, MADV_DOFORK},
		ALIKE(REFUSED, 0)},
	{"MADV_HWPOISON", SYS_madvise, {PROBE_PAGE, PAGE, 100},
		ALIKE(REFUSED, 0)},
	{"MADV_POPULATE_WRITE", SYS_madvise, {PROBE_PAGE, PAGE, 23},
		ALIKE(REFUSED, 0)},

	/* Limits, storage, clocks. */
	{"its own limits", SYS_prlimit64, {0, 3, 0, 0}, ALIKE(MADE, 0)},
	{"its own limits, with dirt above", SYS_prlimit64, {HIGH, 3, 0, 0},
		ALIKE(MADE, 0)},
	{"its own limits by its number", SYS_prlimit64, {PROBE_SELF, 3, 0, 0},
		ALIKE(REFUSED, 0)},
	{"its parent's limits", SYS_prlimit64, {PROBE_PARENT, 3, 0, 0},
		ALIKE(REFUSED, 0)},
	{"a new limit", SYS_prlimit64, {0, 3, PROBE_PAGE, 0},
		ALIKE(REFUSED, 0)},
	{"a new limit far up", SYS_prlimit64, {0, 3, 1ull << 32, 0},
		ALIKE(REFUSED, 0)},
	{"ARCH_SET_GS", SYS_arch_prctl, {ARCH_SET_GS, PROBE_PAGE},
		ALIKE(REFUSED, 0)},
	{"ARCH_GET_FS", SYS_arch_prctl, {ARCH_GET_FS, PROBE_PAGE},
		ALIKE(REFUSED, 0)},
	{"ARCH_CET_DISABLE", SYS_arch_prctl, {0x5002, 1}, ALIKE(REFUSED, 0)},
	{"the time", SYS_clock_gettime, {0, 0}, ALIKE(FAILED, EFAULT)},
	{"processor time", SYS_clock_gettime, {HIGH | 2, 0},
		ALIKE(FAILED, EFAULT)},
	{"a clock that there is not", SYS_clock_gettime, {999, 0},
		ALIKE(FAILED, EINVAL)},
	{"processor time of process 1", SYS_clock_gettime,
		{0xfffffff2, PROBE_PAGE}, ALIKE(REFUSED, 0)},
	{"a clock that is a descriptor", SYS_clock_gettime,
		{(uint32_t)~0u << 3 | 3, PROBE_PAGE}, ALIKE(REFUSED, 0)},

	/* Descriptors. */
	{"nothing is printed", SYS_write, {1, PROBE_PAGE, 0}, ALIKE(MADE, 0)},
	{"the same, with dirt above", SYS_write, {HIGH | 2, PROBE_PAGE, 0},
		ALIKE(MADE, 0)},
	{"standard input, to be written", SYS_write, {0, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the plan, to be written", SYS_write, {FD_PLAN, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the outputs by write()", SYS_write, {FD_OUTPUTS, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the outputs by writev()", SYS_writev, {FD_OUTPUTS, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the outputs by pwrite()", SYS_pwrite64, {FD_OUTPUTS, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the program's descriptor", SYS_write, {FD_PROGRAM, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"another one", SYS_write, {5, PROBE_PAGE, 1}, ALIKE(REFUSED, 0)},
	{"no descriptor", SYS_write, {-1ull, PROBE_PAGE, 1}, ALIKE(REFUSED, 0)},
	{"standard input", SYS_read, {HIGH, PROBE_PAGE, 0}, ALIKE(MADE, 0)},
	{"the plan by read()", SYS_read, {FD_PLAN, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"what it printed, by read()", SYS_read, {1, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"what it printed, by readv()", SYS_readv, {1, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"what it printed, by pread()", SYS_pread64, {1, PROBE_PAGE, 1},
		ALIKE(REFUSED, 0)},
	{"the socket of the start", SYS_sendmsg, {FD_SOCKET, PROBE_PAGE},
		ALIKE(FAILED, EBADF)},
	{"another socket", SYS_sendmsg, {FD_OUTPUTS, PROBE_PAGE},
		ALIKE(REFUSED, 0)},
	{"a position", SYS_lseek, {FD_OUTPUTS, 0, SEEK_END}, ALIKE(MADE, 0)},
	{"a position of a closed one", SYS_lseek, {FD_PROGRAM, 0, SEEK_END},
		ALIKE(FAILED, EBADF)},

	/* Another program. */
	{"a second start", SYS_execveat,
		{FD_PROGRAM, PROBE_PATH, 0, 0, AT_EMPTY_PATH},
		ALIKE(REFUSED, 0)},
	{"a second start with all bits above", SYS_execveat,
		{HIGH | FD_PROGRAM, PROBE_PATH, 0, 0, HIGH | AT_EMPTY_PATH},
		ALIKE(REFUSED, 0)},
	{"the outputs as a program", SYS_execveat,
		{FD_OUTPUTS, PROBE_PATH, 0, 0, AT_EMPTY_PATH},
		ALIKE(REFUSED, 0)},
	{"a program by its path", SYS_execveat,
		{(uint64_t)AT_FDCWD, PROBE_PATH}, ALIKE(REFUSED, 0)},
	{"a program by its path, as is usual", SYS_execve, {PROBE_PATH},
		ALIKE(REFUSED, 0)},

	/* Signals. */
	{"abort()", SYS_tkill, {PROBE_SELF, SIGABRT}, APART(ABORTED, EPERM)},
	{"abort() of glibc", SYS_tgkill, {PROBE_SELF, PROBE_SELF, SIGABRT},
		APART(ABORTED, EPERM)},
	{"SIGABRT to the parent", SYS_tkill, {PROBE_PARENT, SIGABRT},
		APART(REFUSED, EPERM)},
	{"SIGABRT to the parent's thread", SYS_tgkill,
		{PROBE_SELF, PROBE_PARENT, SIGABRT}, APART(REFUSED, EPERM)},
	{"SIGABRT to all", SYS_tkill, {-1ull, SIGABRT}, APART(REFUSED, EPERM)},
	{"SIGABRT to itself by kill()", SYS_kill, {PROBE_SELF, SIGABRT},
		ALIKE(REFUSED, 0)},
	{"SIGSTOP to itself", SYS_tkill, {PROBE_SELF, SIGSTOP},
		ALIKE(REFUSED, 0)},
	{"SIGKILL to itself", SYS_tgkill, {PROBE_SELF, PROBE_SELF, SIGKILL},
		ALIKE(REFUSED, 0)},
	{"no signal to the parent", SYS_tkill, {PROBE_PARENT, 0},
		ALIKE(REFUSED, 0)},
	{"SIGSTOP to the parent", SYS_tgkill,
		{PROBE_PARENT, PROBE_PARENT, SIGSTOP}, ALIKE(REFUSED, 0)},

	/* Ends. */
	{"an end", SYS_exit_group, {7}, ALIKE(EXITED, 7)},
	{"an end with dirt above", SYS_exit_group, {HIGH | 7},
		ALIKE(EXITED, 7)},
	{"the end of a start that failed", SYS_exit_group, {SPAWN_EXIT_CODE},
		ALIKE(EXITED, 0)},
	{"one beside it", SYS_exit_group, {SPAWN_EXIT_CODE + 1},
		ALIKE(EXITED, 1)},
	{"0, with another upper half", SYS_exit_group, {2ull << 32},
		ALIKE(EXITED, 0)},
	{"the end of a thread", SYS_exit, {0}, ALIKE(REFUSED, 0)},
	{"a forged crash report", CRASH_REPORT_CALL,
		{SIGSEGV, 1, 2, 3, ~0ull, ~0ull}, ALIKE(MADE, 0)},

	/* Refused, with arguments that make sense of them. */
	{"a file", SYS_openat, {1000, PROBE_PATH, O_RDONLY}, ALIKE(REFUSED, 0)},
	{"a socket", SYS_socket, {2, 1, 0}, ALIKE(REFUSED, 0)},
	{"a thread", SYS_clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND},
		ALIKE(REFUSED, 0)},
	{"where it is", SYS_readlink, {PROBE_PATH, PROBE_PAGE, PAGE},
		ALIKE(NO, ENOENT)},
	{"a file's state", SYS_newfstatat,
		{(uint64_t)AT_FDCWD, PROBE_PATH, PROBE_PAGE}, ALIKE(NO, EBADF)},
	{"TIOCSTI", SYS_ioctl, {1, 0x5412, PROBE_PAGE}, ALIKE(NO, ENOTTY)},
	{"a copy of a descriptor", SYS_dup, {FD_OUTPUTS}, ALIKE(NO, EBADF)},
	{"a copy over another", SYS_dup2, {FD_OUTPUTS, 1}, ALIKE(REFUSED, 0)},
	{"a closed descriptor", SYS_close, {FD_OUTPUTS}, ALIKE(REFUSED, 0)},
	{"a shorter file", SYS_ftruncate, {FD_OUTPUTS, 0}, ALIKE(REFUSED, 0)},
	{"its own memory's secrets", SYS_prctl, {4 /* dumpable */, 1},
		ALIKE(REFUSED, 0)},
};

enum { N_EDGES = sizeof(edges) / sizeof(edges[0]) };

/* What the table says must be what is written above. */
static void check_table(const struct edge *edge, enum outcome outcome)
{
	const struct filter_rule *rule =
		call_table_find(&probing->table, edge->call, edge->a);
	const uint32_t action = rule ? rule->action : probing->table.otherwise;

	/* Whom we ask decides; nothing else is left to be decided. */
	if (rule && action == SCMP_ACT_NOTIFY)
		return;
	if (edge->call == CRASH_REPORT_CALL)
		ck_assert_uint_eq(action, SCMP_ACT_ERRNO(0));
	else if (outcome == NO)
		ck_assert_msg(
			(action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO,
			"%s", edge->rule);
	else if (outcome == REFUSED)
		ck_assert_msg(rule == NULL, "%s", edge->rule);
	else
		ck_assert_msg(action == SCMP_ACT_ALLOW, "%s", edge->rule);
}

static void check_edge(size_t which)
{
	const struct edge *edge = &edges[which];
	const struct end *end = probing->table.otherwise == SCMP_ACT_NOTIFY
		? &edge->end
		: &edge->without;
	const double returned = probing_returned(probing, which);

	check_table(edge, end->outcome);
	switch (end->outcome) {
	case MADE:
		probing_check_end(probing, which, RUN_FINISHED);
		ck_assert_msg(
			returned >= 0, "%s: returned %g", edge->rule, returned);
		return;
	case FAILED:
	case NO:
		probing_check_answer(probing, which, -end->number);
		return;
	case REFUSED:
		probing_check_violation(probing, which);
		return;
	case ABORTED:
		probing_check_end(probing, which, RUN_ABORTED);
		ck_assert_int_eq(probing->result.signal, SIGABRT);
		return;
	case EXITED:
		probing_check_end(probing, which, RUN_EXITED);
		ck_assert_int_eq(probing->result.exit_code, end->number);
		return;
	}
}

START_TEST(arguments_on_the_edge_end_as_the_table_says)
{
	probing = probing_create(_i == 0);
	for (size_t i = 0; i < N_EDGES; i++)
		memcpy(probing_add(probing, PROBE_NATIVE, edges[i].call)
				->arguments,
			edges[i].a, sizeof(edges[i].a));
	probing_build(probing);
	for (size_t i = 0; i < probing->n; i++) {
		probing_run(probing, i);
		check_edge(i);
	}
}
END_TEST

Suite *run_matrix_suite(void)
{
	Suite *suite = suite_create("run_matrix");
	TCase *tcase = tcase_create("run_matrix");

	tcase_add_checked_fixture(tcase, NULL, tear_down);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase,
		every_call_of_every_architecture_ends_as_the_table_says, 0, 2);
	tcase_add_loop_test(
		tcase, arguments_on_the_edge_end_as_the_table_says, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
