/* SPDX-License-Identifier: MIT */
#include "sandbox/policy.h"
#include "base/error.h"
#include "sandbox/filter.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"
#include "sandbox/spawn.h"

#include <asm/prctl.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define ALLOW(name)                                                            \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ALLOW,                  \
		.instead = POLICY_ALLOW                                        \
	}
#define ALLOW_IF(name, n, ...)                                                 \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ALLOW,                  \
		.instead = POLICY_ALLOW, .n_conditions = (n),                  \
		.conditions = {__VA_ARGS__},                                   \
	}
#define FAIL(name, with)                                                       \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ERRNO,                  \
		.number = (with), .instead = POLICY_ERRNO,                     \
		.instead_number = (with)                                       \
	}
#define ASK_OR_FAIL(which, with, n, ...)                                       \
	{                                                                      \
		.call = (which), .decision = POLICY_ASK,                       \
		.instead = POLICY_ERRNO, .instead_number = (with),             \
		.n_conditions = (n), .conditions = {                           \
			__VA_ARGS__                                            \
		}                                                              \
	}

#define NEW_MEMORY(protection, flags)                                          \
	FILTER_BITS((protection), PROT_EXEC, 0),                               \
		FILTER_BITS(                                                   \
			(flags), MAP_ANONYMOUS | MAP_HUGETLB, MAP_ANONYMOUS)

static const struct policy_rule rules[] = {
	/* What libc and the runner need, and what can do no harm: a program
	   should be told of the call that matters. */
	ALLOW(brk),
	ALLOW(munmap),
	ALLOW(set_tid_address),
	ALLOW(set_robust_list),
	ALLOW(rseq),
	ALLOW(getrandom),
	ALLOW(rt_sigprocmask),
	ALLOW(rt_sigaction),
	ALLOW(sigaltstack),
	ALLOW(rt_sigreturn),
	ALLOW(getpid),
	ALLOW(gettid),
	ALLOW(getppid),
	ALLOW(getuid),
	ALLOW(geteuid),
	ALLOW(getgid),
	ALLOW(getegid),
	ALLOW(clock_gettime),
	ALLOW(sched_yield),
	/* After each call, for how far the text goes.  Without a condition the
	   kernel needs not run the filter; no position matters to us. */
	ALLOW(lseek),

	/* The same, with the arguments that are harmless. */
	ALLOW_IF(arch_prctl, 1, FILTER_INT(0, ARCH_SET_FS)),
	ALLOW_IF(prlimit64, 2, FILTER_INT(0, 0), FILTER_LONG(2, 0)),
	ALLOW_IF(
		mmap, 3, NEW_MEMORY(2, 3), FILTER_BELOW(1, POLICY_LARGE_BYTES)),
	ALLOW_IF(mmap, 3, FILTER_BITS(2, PROT_EXEC, 0),
		FILTER_BITS(3, MAP_ANONYMOUS, 0), FILTER_INT(4, FD_PLAN)),
	ALLOW_IF(mmap, 3, FILTER_BITS(2, PROT_EXEC, 0),
		FILTER_BITS(3, MAP_ANONYMOUS, 0), FILTER_INT(4, FD_OUTPUTS)),
	ALLOW_IF(mremap, 1, FILTER_BELOW(2, POLICY_LARGE_BYTES)),
	ALLOW_IF(mprotect, 1, FILTER_BITS(2, PROT_EXEC, 0)),
	ALLOW_IF(madvise, 1, FILTER_INT(2, MADV_DONTNEED)),
	ALLOW_IF(madvise, 1, FILTER_INT(2, MADV_FREE)),
	ALLOW_IF(write, 1, FILTER_INT(0, FD_STDOUT)),
	ALLOW_IF(write, 1, FILTER_INT(0, FD_STDERR)),
	ALLOW_IF(writev, 1, FILTER_INT(0, FD_STDOUT)),
	ALLOW_IF(writev, 1, FILTER_INT(0, FD_STDERR)),
	/* Standard input is empty: scanf() finds its end. */
	ALLOW_IF(read, 1, FILTER_INT(0, FD_NULL)),
	ALLOW_IF(readv, 1, FILTER_INT(0, FD_NULL)),

	/* The start of the program itself.  Both descriptors are closed by it,
	   so that neither call can succeed a second time. */
	ALLOW_IF(sendmsg, 1, FILTER_INT(0, FD_SOCKET)),
	ALLOW_IF(execveat, 2, FILTER_INT(0, FD_PROGRAM),
		FILTER_INT(4, AT_EMPTY_PATH)),
	ALLOW_IF(exit_group, 1, FILTER_LONG(0, SPAWN_EXIT_CODE)),

	/* printf() asks these and does without an answer. */
	FAIL(readlink, ENOENT),
	FAIL(readlinkat, ENOENT),
	FAIL(fstat, EBADF),
	FAIL(newfstatat, EBADF),
	FAIL(ioctl, ENOTTY),

	/* glibc's qsort() and perror(), and sysconf(), likewise.  Opening a
	   file is refused whole, although glibc's sysconf() asks for one to
	   count processors: whoever opens files shall be told, with either
	   libc. */
	FAIL(sysinfo, ENOSYS),
	FAIL(dup, EBADF),
	FAIL(sched_getaffinity, ENOSYS),

	/* What we decide, or want to know of. */
	{
		.call = SYS_exit_group,
		.decision = POLICY_ASK,
		.instead = POLICY_ALLOW,
	},
	{
		.call = CRASH_REPORT_CALL,
		.decision = POLICY_ASK,
		.instead = POLICY_ERRNO,
	},
	ASK_OR_FAIL(SYS_mmap, ENOMEM, 3, NEW_MEMORY(2, 3),
		FILTER_FROM(1, POLICY_LARGE_BYTES)),
	ASK_OR_FAIL(SYS_mremap, ENOMEM, 1, FILTER_FROM(2, POLICY_LARGE_BYTES)),
	/* abort(), if it is sent to itself. */
	ASK_OR_FAIL(SYS_tkill, EPERM, 1, FILTER_INT(1, SIGABRT)),
	ASK_OR_FAIL(SYS_tgkill, EPERM, 1, FILTER_INT(2, SIGABRT)),
};

enum { N_RULES = sizeof(rules) / sizeof(rules[0]) };

const struct policy_rule *policy_rules(size_t *count_out)
{
	*count_out = N_RULES;
	return rules;
}

static bool condition_holds(
	const struct scmp_arg_cmp *condition, const uint64_t arguments[6])
{
	uint64_t value = arguments[condition->arg];

	switch ((int)condition->op) {
	case SCMP_CMP_MASKED_EQ:
		return (value & condition->datum_a) == condition->datum_b;
	case SCMP_CMP_EQ:
		return value == condition->datum_a;
	case SCMP_CMP_LT:
		return value < condition->datum_a;
	case SCMP_CMP_GE:
		return value >= condition->datum_a;
	default:
		assert(false);
		return false;
	}
}

bool policy_asks(int call, const uint64_t arguments[6])
{
	for (size_t i = 0; i < N_RULES; i++) {
		const struct policy_rule *rule = &rules[i];
		bool holds = rule->call == call && rule->decision == POLICY_ASK;

		for (unsigned int k = 0; holds && k < rule->n_conditions; k++)
			holds = condition_holds(
				&rule->conditions[k], arguments);
		if (holds)
			return true;
	}
	return false;
}

static uint32_t action_of(enum policy_decision decision, int number)
{
	switch (decision) {
	case POLICY_ALLOW:
		return SCMP_ACT_ALLOW;
	case POLICY_ERRNO:
		return SCMP_ACT_ERRNO((uint32_t)number);
	case POLICY_ASK:
		return SCMP_ACT_NOTIFY;
	}
	assert(false);
	return SCMP_ACT_KILL_PROCESS;
}

bool policy_build(
	bool listens, struct sock_fprog *filter_out, struct error *err)
{
	struct filter_rule filter[N_RULES];

	for (size_t i = 0; i < N_RULES; i++) {
		const struct policy_rule *rule = &rules[i];

		filter[i] = (struct filter_rule){
			.call = rule->call,
			.action = listens
				? action_of(rule->decision, rule->number)
				: action_of(
					  rule->instead, rule->instead_number),
			.n_conditions = rule->n_conditions,
		};
		for (unsigned int k = 0; k < rule->n_conditions; k++)
			filter[i].conditions[k] = rule->conditions[k];
	}
	return filter_build(filter, N_RULES,
		listens ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS, filter_out,
		err);
}

static bool policy_prepare(struct sandbox *sandbox, struct error *err)
{
	/* Where nothing is run, the layers can still be shown. */
	if (!sandbox_check_layers(sandbox, &(struct error){0}))
		return true;
	return policy_build(sandbox->listens, &sandbox->run_filter, err);
}

static void policy_finish(struct sandbox *sandbox)
{
	filter_finish(&sandbox->run_filter);
}

const struct sandbox_part sandbox_part_policy = {
	.prepare = policy_prepare,
	.finish = policy_finish,
};
