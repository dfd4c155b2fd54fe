/* SPDX-License-Identifier: MIT */
#include "sandbox/filter.h"
#include "sandbox/policy.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"
#include "tests/suites.h"
#include "tests/support/bpf.h"
#include "tests/support/call_table.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define X32_BIT 0x40000000

/* Of the program's start: the upper halves of two registers. */
#define KEY_0 (CALL_TABLE_KEY & 0xffffffff00000000u)
#define KEY_1 (CALL_TABLE_KEY << 32)

static struct sock_fprog filters[2]; /* killing, asking */

static void build_filters(void)
{
	for (int listens = 0; listens < 2; listens++)
		call_table_filter_of_run(listens, &filters[listens]);
}

static void drop_filters(void)
{
	for (int i = 0; i < 2; i++)
		filter_finish(&filters[i]);
}

static uint32_t decide(bool listens, int number, const uint64_t arguments[6])
{
	struct seccomp_data data = {
		.nr = number,
		.arch = AUDIT_ARCH_X86_64,
	};

	for (int i = 0; i < 6; i++)
		data.args[i] = arguments[i];
	return bpf_run(&filters[listens], &data, NULL);
}

#define ALLOW SECCOMP_RET_ALLOW
#define ASK SECCOMP_RET_USER_NOTIF
#define KILL SECCOMP_RET_KILL_PROCESS
#define FAIL(number) (SECCOMP_RET_ERRNO | (number))
#define HIGH 0xffffffff00000000u

enum {
	READ_WRITE = PROT_READ | PROT_WRITE,
	PRIVATE = MAP_PRIVATE | MAP_ANONYMOUS,
};

static const struct {
	const char *rule;
	int call;
	uint64_t arguments[6];
	uint32_t asking, killing;
} rules[] = {
	{"brk", SYS_brk, {0}, ALLOW, ALLOW},
	{"a small piece of memory", SYS_mmap, {0, 8192, READ_WRITE, PRIVATE},
		ALLOW, ALLOW},
	{"the largest small piece", SYS_mmap,
		{0, POLICY_LARGE_BYTES - 1, READ_WRITE, PRIVATE}, ALLOW, ALLOW},
	{"a large piece", SYS_mmap,
		{0, POLICY_LARGE_BYTES, READ_WRITE, PRIVATE}, ASK,
		FAIL(ENOMEM)},
	{"a piece whose lower half is small", SYS_mmap,
		{0, 0x100000001000, READ_WRITE, PRIVATE}, ASK, FAIL(ENOMEM)},
	{"memory that can be executed", SYS_mmap,
		{0, 8192, READ_WRITE | PROT_EXEC, PRIVATE}, ASK, KILL},
	{"huge pages", SYS_mmap, {0, 8192, READ_WRITE, PRIVATE | MAP_HUGETLB},
		ASK, KILL},
	{"the plan", SYS_mmap, {0, 1u << 30, PROT_READ, MAP_SHARED, FD_PLAN},
		ALLOW, ALLOW},
	{"the outputs, with dirt above", SYS_mmap,
		{0, 4096, READ_WRITE, MAP_SHARED, FD_OUTPUTS | HIGH}, ALLOW,
		ALLOW},
	{"the outputs as code", SYS_mmap,
		{0, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, FD_OUTPUTS}, ASK,
		KILL},
	{"another file", SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED, 1}, ASK,
		KILL},
	{"memory that becomes code", SYS_mprotect, {0, 4096, PROT_EXEC}, ASK,
		KILL},
	{"memory that becomes a guard", SYS_mprotect, {0, 4096, PROT_NONE},
		ALLOW, ALLOW},
	{"a block that grows", SYS_mremap, {0, 4096, 8192, 1}, ALLOW, ALLOW},
	{"a block that grows a lot", SYS_mremap, {0, 4096, 1u << 30, 1}, ASK,
		FAIL(ENOMEM)},
	{"MADV_FREE", SYS_madvise, {0, 4096, MADV_FREE}, ALLOW, ALLOW},
	{"MADV_REMOVE", SYS_madvise, {0, 4096, MADV_REMOVE}, ASK, KILL},
	{"standard output", SYS_writev, {1}, ALLOW, ALLOW},
	{"standard error", SYS_write, {2}, ALLOW, ALLOW},
	{"the outputs by write()", SYS_write, {FD_OUTPUTS}, ASK, KILL},
	{"standard input", SYS_readv, {0}, ALLOW, ALLOW},
	{"the plan by read()", SYS_read, {FD_PLAN}, ASK, KILL},
	{"where the text ends", SYS_lseek, {1, 0, SEEK_END}, ALLOW, ALLOW},
	{"a thread's own storage", SYS_arch_prctl, {ARCH_SET_FS}, ALLOW, ALLOW},
	{"another base", SYS_arch_prctl, {ARCH_SET_GS}, ASK, KILL},
	{"limits, to be read", SYS_prlimit64, {0, 3, 0, 4096}, ALLOW, ALLOW},
	{"limits, to be set", SYS_prlimit64, {0, 3, 4096, 0}, ASK, KILL},
	{"limits of another", SYS_prlimit64, {1, 3, 0, 4096}, ASK, KILL},
	{"the start of the program", SYS_execveat,
		{KEY_0 | FD_PROGRAM, 0, 0, 0, KEY_1 | AT_EMPTY_PATH}, ALLOW,
		ALLOW},
	{"another start", SYS_execveat, {FD_PROGRAM, 0, 0, 0, AT_EMPTY_PATH},
		ASK, KILL},
	{"one with the first half of the key", SYS_execveat,
		{KEY_0 | FD_PROGRAM, 0, 0, 0, AT_EMPTY_PATH}, ASK, KILL},
	{"one with the second half of the key", SYS_execveat,
		{FD_PROGRAM, 0, 0, 0, KEY_1 | AT_EMPTY_PATH}, ASK, KILL},
	{"another program", SYS_execveat,
		{KEY_0 | 3, 0, 0, 0, KEY_1 | AT_EMPTY_PATH}, ASK, KILL},
	{"a program by path", SYS_execveat,
		{KEY_0 | FD_PROGRAM, 0, 0, 0, KEY_1}, ASK, KILL},
	{"the time", SYS_clock_gettime, {0}, ALLOW, ALLOW},
	{"its own time, with dirt above", SYS_clock_gettime, {HIGH | 2}, ALLOW,
		ALLOW},
	{"another's time", SYS_clock_gettime, {~7ull << 3 | 2}, ASK, KILL},
	{"execve", SYS_execve, {0}, ASK, KILL},
	{"the listener's way out", SYS_sendmsg, {FD_SOCKET}, ALLOW, ALLOW},
	{"another socket", SYS_sendmsg, {1}, ASK, KILL},
	{"the end", SYS_exit_group, {0}, ASK, ALLOW},
	{"the end of a start that failed", SYS_exit_group, {SPAWN_EXIT_CODE},
		ALLOW, ALLOW},
	{"exit", SYS_exit, {0}, ASK, KILL},
	{"a crash report", CRASH_REPORT_CALL, {0}, ASK, FAIL(0)},
	{"abort", SYS_tkill, {1, SIGABRT}, ASK, FAIL(EPERM)},
	{"abort of glibc", SYS_tgkill, {1, 1, SIGABRT}, ASK, FAIL(EPERM)},
	{"another signal", SYS_tkill, {1, SIGKILL}, ASK, KILL},
	{"kill", SYS_kill, {1, SIGABRT}, ASK, KILL},
	{"where am I", SYS_readlink, {0}, FAIL(ENOENT), FAIL(ENOENT)},
	{"a file's state", SYS_newfstatat, {0}, FAIL(EBADF), FAIL(EBADF)},
	{"is it a terminal", SYS_ioctl, {1}, FAIL(ENOTTY), FAIL(ENOTTY)},
	{"openat", SYS_openat, {0}, ASK, KILL},
	{"open", SYS_open, {0}, ASK, KILL},
	{"socket", SYS_socket, {2, 1, 0}, ASK, KILL},
	{"fork", SYS_fork, {0}, ASK, KILL},
	{"clone", SYS_clone, {0}, ASK, KILL},
	{"clone3", SYS_clone3, {0}, ASK, KILL},
	{"a call that is none", 5000, {0}, ASK, KILL},
	{"-1", -1, {0}, ASK, KILL},
};

START_TEST(every_rule_holds)
{
	uint32_t asking = decide(true, rules[_i].call, rules[_i].arguments);
	uint32_t killing = decide(false, rules[_i].call, rules[_i].arguments);

	ck_assert_msg(asking == rules[_i].asking, "%s: asking %#x",
		rules[_i].rule, asking);
	ck_assert_msg(killing == rules[_i].killing, "%s: killing %#x",
		rules[_i].rule, killing);
}
END_TEST

/* Filters against tables -------------------------------------------------- */

enum {
	ASKING,
	KILLING,
	TOOL,
	N_FILTERS,
	NUMBERS_END = 1024,
	BRANCHES_MAX = 4096,
};

struct comparison {
	struct call_table table;
	struct sock_fprog filter;
	unsigned char seen[BRANCHES_MAX];
	uint32_t arch;
	int bits; /* of x32 */
	size_t n_probes;
};

static void compare_call(void *context, int call, const uint64_t arguments[6])
{
	struct comparison *with = context;
	const bool native = with->arch == AUDIT_ARCH_X86_64 && !with->bits;
	const uint32_t expected = native
		? call_table_decide(&with->table, call, arguments)
		: with->table.otherwise;
	struct seccomp_data data = {
		.nr = call | with->bits,
		.arch = with->arch,
	};
	uint32_t got;

	for (int i = 0; i < 6; i++)
		data.args[i] = arguments[i];
	got = bpf_run(&with->filter, &data, with->seen);
	ck_assert_msg(got == expected,
		"%#x, call %d(%#llx, %#llx, %#llx, %#llx, %#llx): %#x, "
		"expected %#x",
		with->arch, data.nr, (unsigned long long)arguments[0],
		(unsigned long long)arguments[1],
		(unsigned long long)arguments[2],
		(unsigned long long)arguments[3],
		(unsigned long long)arguments[4], got, expected);
	with->n_probes++;
}

static void prepare(struct comparison *with, int which)
{
	if (which == TOOL) {
		call_table_of_tool(&with->table);
		call_table_filter_of_tool(&with->filter);
	} else {
		call_table_of_run(&with->table, which == ASKING);
		call_table_filter_of_run(which == ASKING, &with->filter);
	}
	ck_assert_uint_le(with->filter.len, BRANCHES_MAX);
}

static void compare_way(struct comparison *with, uint32_t arch, int bits)
{
	static const int far[] = {CRASH_REPORT_CALL, CRASH_REPORT_CALL - 1,
		CRASH_REPORT_CALL + 1, 0x3fffffff, INT_MAX, INT_MIN};

	with->arch = arch;
	with->bits = bits;
	for (int call = -1; call < NUMBERS_END; call++)
		call_table_probe(&with->table, call, compare_call, with);
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++)
		call_table_probe(&with->table, far[i], compare_call, with);
}

/* libseccomp also compares halves of which nothing but 0 can be left. */
static bool decides(const struct sock_filter *at)
{
	if (BPF_CLASS(at->code) != BPF_JMP || BPF_OP(at->code) == BPF_JA)
		return false;
	return at[-1].k != 0 ||
		(at[-1].code != (BPF_ALU | BPF_AND | BPF_K) &&
			at[-1].code != (BPF_JMP | BPF_JGT | BPF_K));
}

/* What no probe reached could do anything. */
static void check_all_seen(const struct comparison *with)
{
	for (size_t i = 0; i < with->filter.len; i++) {
		const struct sock_filter *at = &with->filter.filter[i];
		const unsigned char seen = with->seen[i];

		ck_assert_msg(decides(at) ? seen == (BPF_WENT_ON | BPF_JUMPED)
					  : seen != 0,
			"instruction %zu of %u, %#x with %#x: seen %d", i,
			with->filter.len, at->code, at->k, seen);
	}
}

START_TEST(a_filter_does_what_its_table_says_in_each_branch)
{
	struct comparison *with = calloc(1, sizeof(*with));

	ck_assert_ptr_nonnull(with);
	prepare(with, _i);
	compare_way(with, AUDIT_ARCH_X86_64, 0);
	compare_way(with, AUDIT_ARCH_X86_64, X32_BIT);
	compare_way(with, AUDIT_ARCH_I386, 0);
	compare_way(with, AUDIT_ARCH_AARCH64, 0);
	ck_assert_uint_gt(with->n_probes, 4 * NUMBERS_END);
	check_all_seen(with);
	filter_finish(&with->filter);
	free(with);
}
END_TEST

static void compare_asking(void *context, int call, const uint64_t arguments[6])
{
	const struct call_table *table = context;
	const struct filter_rule *rule =
		call_table_find(table, call, arguments);

	if (rule && rule->action != SCMP_ACT_NOTIFY)
		return;
	ck_assert_int_eq(policy_asks(call, arguments), rule != NULL);
}

START_TEST(what_is_put_to_us_is_a_violation_unless_the_table_asks)
{
	struct call_table table;

	call_table_of_run(&table, true);
	for (int call = -1; call <= CRASH_REPORT_CALL + 1; call++)
		call_table_probe(&table, call, compare_asking, &table);
}
END_TEST

/* Newer ones by number: the headers here need not know them. */
static const struct {
	const char *name;
	int call;
} openers[] = {
#define CALL(name)                                                             \
	{                                                                      \
#name, SYS_##name                                              \
	}
	CALL(open),
	CALL(openat),
	CALL(creat),
	CALL(execve),
	CALL(uselib),
	CALL(open_by_handle_at),
	CALL(name_to_handle_at),
	CALL(memfd_create),
	CALL(socket),
	CALL(socketpair),
	CALL(accept),
	CALL(accept4),
	CALL(connect),
	CALL(recvmsg),
	CALL(recvmmsg),
	CALL(pipe),
	CALL(pipe2),
	CALL(dup),
	CALL(dup2),
	CALL(dup3),
	CALL(fcntl),
	CALL(ioctl),
	CALL(eventfd),
	CALL(eventfd2),
	CALL(epoll_create),
	CALL(epoll_create1),
	CALL(inotify_init),
	CALL(inotify_init1),
	CALL(fanotify_init),
	CALL(signalfd),
	CALL(signalfd4),
	CALL(timerfd_create),
	CALL(userfaultfd),
	CALL(perf_event_open),
	CALL(bpf),
	CALL(seccomp),
	CALL(mq_open),
	CALL(msgget),
	CALL(semget),
	CALL(shmget),
	CALL(shmat),
	CALL(io_setup),
	CALL(add_key),
	CALL(request_key),
	CALL(keyctl),
	CALL(clone),
	CALL(fork),
	CALL(vfork),
	CALL(unshare),
	CALL(setns),
	CALL(ptrace),
	CALL(process_vm_readv),
	CALL(process_vm_writev),
	CALL(kcmp),
	CALL(chdir),
	CALL(fchdir),
	CALL(chroot),
	CALL(pivot_root),
	CALL(mount),
	CALL(swapon),
	CALL(acct),
	CALL(quotactl),
	CALL(truncate),
	CALL(link),
	CALL(rename),
	CALL(unlink),
	CALL(mknod),
	CALL(mkdir),
	CALL(symlink),
	CALL(stat),
	CALL(lstat),
	CALL(statx),
	CALL(statfs),
	CALL(access),
	CALL(getcwd),
	CALL(finit_module),
	CALL(kexec_file_load),
	CALL(modify_ldt),
	CALL(personality),
	CALL(prctl),
#undef CALL
	{"pidfd_send_signal", 424},
	{"io_uring_setup", 425},
	{"io_uring_enter", 426},
	{"io_uring_register", 427},
	{"open_tree", 428},
	{"move_mount", 429},
	{"fsopen", 430},
	{"fsconfig", 431},
	{"fsmount", 432},
	{"fspick", 433},
	{"pidfd_open", 434},
	{"clone3", 435},
	{"openat2", 437},
	{"pidfd_getfd", 438},
	{"faccessat2", 439},
	{"process_madvise", 440},
	{"mount_setattr", 442},
	{"quotactl_fd", 443},
	{"landlock_create_ruleset", 444},
	{"landlock_add_rule", 445},
	{"memfd_secret", 447},
	{"map_shadow_stack", 453},
	{"statmount", 457},
	{"listmount", 458},
	{"getxattrat", 464},
	{"open_tree_attr", 467},
	{"file_getattr", 468},
	{"file_setattr", 469},
	{"listns", 470},
};

/* With whatever arguments: no rule of the table makes it. */
START_TEST(no_call_that_opens_something_is_made)
{
	size_t count;
	const struct policy_rule *table = policy_rules(&count);

	for (size_t i = 0; i < count; i++) {
		if (table[i].call != openers[_i].call)
			continue;
		ck_assert_msg(table[i].decision == POLICY_ERRNO &&
				table[i].instead == POLICY_ERRNO,
			"%s", openers[_i].name);
	}
}
END_TEST

Suite *policy_suite(void)
{
	Suite *suite = suite_create("policy");
	TCase *tcase = tcase_create("policy");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, build_filters, drop_filters);
	tcase_add_loop_test(
		tcase, every_rule_holds, 0, sizeof(rules) / sizeof(rules[0]));
	tcase_add_loop_test(tcase,
		a_filter_does_what_its_table_says_in_each_branch, 0, N_FILTERS);
	tcase_add_test(
		tcase, what_is_put_to_us_is_a_violation_unless_the_table_asks);
	tcase_add_loop_test(tcase, no_call_that_opens_something_is_made, 0,
		sizeof(openers) / sizeof(openers[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
