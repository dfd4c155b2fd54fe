/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/filter.h"
#include "sandbox/policy.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"
#include "tests/suites.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define X32_BIT 0x40000000

/* Of the program's start. */
#define KEY_0 0x1234567800000000u
#define KEY_1 0x9abcdef000000000u
#define KEY (KEY_0 | KEY_1 >> 32)

static struct sock_fprog filters[2]; /* killing, asking */

static void build_filters(void)
{
	struct error err = {0};

	for (int listens = 0; listens < 2; listens++)
		ck_assert_msg(
			policy_build(listens, KEY, &filters[listens], &err),
			"%s", err.message);
}

static void drop_filters(void)
{
	for (int i = 0; i < 2; i++)
		filter_finish(&filters[i]);
}

/* The kernel's machine, as far as filters need it. */
static uint32_t evaluate(
	const struct sock_fprog *filter, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t pc = 0; pc < filter->len; pc++) {
		const struct sock_filter *at = &filter->filter[pc];
		bool jump = false;

		switch (at->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			ck_assert_uint_le(at->k, sizeof(*data) - sizeof(a));
			memcpy(&a, (const char *)data + at->k, sizeof(a));
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= at->k;
			continue;
		case BPF_JMP | BPF_JA:
			pc += at->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			jump = a == at->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			jump = a > at->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			jump = a >= at->k;
			break;
		case BPF_RET | BPF_K:
			return at->k;
		default:
			ck_abort_msg("instruction %#x is unknown", at->code);
		}
		pc += jump ? at->jt : at->jf;
	}
	ck_abort_msg("the filter has no end");
	return 0;
}

static uint32_t decide(bool listens, int number, const uint64_t arguments[6])
{
	struct seccomp_data data = {
		.nr = number,
		.arch = AUDIT_ARCH_X86_64,
	};

	for (int i = 0; i < 6; i++)
		data.args[i] = arguments[i];
	return evaluate(&filters[listens], &data);
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

/* Is there a rule of the table for this call, with no argument set? */
static const struct policy_rule *find_rule(int call)
{
	size_t count;
	const struct policy_rule *table = policy_rules(&count);

	for (size_t i = 0; i < count; i++) {
		bool met = table[i].call == call;

		for (unsigned int k = 0; k < table[i].n_conditions; k++) {
			const struct scmp_arg_cmp *condition =
				&table[i].conditions[k];

			switch ((int)condition->op) {
			case SCMP_CMP_MASKED_EQ:
				met &= condition->datum_b == 0;
				break;
			case SCMP_CMP_EQ:
				met &= condition->datum_a == 0;
				break;
			case SCMP_CMP_LT:
				met &= 0 < condition->datum_a;
				break;
			default:
				met &= condition->datum_a == 0;
			}
		}
		if (met)
			return &table[i];
	}
	return NULL;
}

START_TEST(every_number_without_arguments_gets_what_the_table_says)
{
	static const uint64_t none[6];

	for (int call = 0; call < 1000; call++) {
		const struct policy_rule *rule = find_rule(call);
		uint32_t expected = ASK;

		if (rule && rule->decision == POLICY_ALLOW)
			expected = ALLOW;
		if (rule && rule->decision == POLICY_ERRNO)
			expected = FAIL((uint32_t)rule->number);
		ck_assert_msg(decide(true, call, none) == expected,
			"call %d: %#x, expected %#x", call,
			decide(true, call, none), expected);
	}
}
END_TEST

START_TEST(calls_of_other_architectures_are_never_allowed)
{
	for (int number = -1; number < 1000; number++) {
		struct seccomp_data old = {
			.nr = number,
			.arch = AUDIT_ARCH_I386,
		};
		struct seccomp_data x32 = {
			.nr = number | X32_BIT,
			.arch = AUDIT_ARCH_X86_64,
		};

		ck_assert_uint_eq(evaluate(&filters[1], &old), ASK);
		ck_assert_uint_eq(evaluate(&filters[0], &old), KILL);
		ck_assert_uint_eq(evaluate(&filters[1], &x32), ASK);
		ck_assert_uint_eq(evaluate(&filters[0], &x32), KILL);
	}
}
END_TEST

Suite *policy_suite(void)
{
	Suite *suite = suite_create("policy");
	TCase *tcase = tcase_create("policy");

	tcase_add_checked_fixture(tcase, build_filters, drop_filters);
	tcase_add_loop_test(
		tcase, every_rule_holds, 0, sizeof(rules) / sizeof(rules[0]));
	tcase_add_test(
		tcase, every_number_without_arguments_gets_what_the_table_says);
	tcase_add_test(tcase, calls_of_other_architectures_are_never_allowed);
	suite_add_tcase(suite, tcase);
	return suite;
}
