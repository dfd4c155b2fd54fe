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

#define ALLOW(name, reason)                                                    \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ALLOW,                  \
		.instead = POLICY_ALLOW, .why = (reason)                       \
	}
#define ALLOW_IF(name, reason, n, ...)                                         \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ALLOW,                  \
		.instead = POLICY_ALLOW, .why = (reason), .n_conditions = (n), \
		.conditions = {                                                \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define FAIL(name, with, reason)                                               \
	{                                                                      \
		.call = SYS_##name, .decision = POLICY_ERRNO,                  \
		.number = (with), .instead = POLICY_ERRNO,                     \
		.instead_number = (with), .why = (reason)                      \
	}
#define ASK_OR_FAIL(which, with, reason, n, ...)                               \
	{                                                                      \
		.call = (which), .decision = POLICY_ASK,                       \
		.instead = POLICY_ERRNO, .instead_number = (with),             \
		.why = (reason), .n_conditions = (n), .conditions = {          \
			__VA_ARGS__                                            \
		}                                                              \
	}

#define NEW_MEMORY(protection, flags)                                          \
	FILTER_BITS((protection), PROT_EXEC, 0),                               \
		FILTER_BITS(                                                   \
			(flags), MAP_ANONYMOUS | MAP_HUGETLB, MAP_ANONYMOUS)
#define SHARED_FILE(fd)                                                        \
	FILTER_BITS(2, PROT_EXEC, 0), FILTER_BITS(3, MAP_ANONYMOUS, 0),        \
		FILTER_INT(4, (fd))

#define LIBC_START "libc calls it when it starts"
#define SIGNALS "the runner's report of a crash; a learner's own handlers"
#define WHO "harmless: whoever asks it should be told of what matters"
#define TEXT "what is printed"
#define EMPTY_INPUT "standard input is empty: scanf() finds its end"
#define PRINTF "printf() asks it and does without"
#define ABORT "abort(), if it is sent to itself; else a violation"

static const struct policy_rule rules[] = {
	/* What libc and the runner need, and what can do no harm. */
	ALLOW(brk, "the heap, within the limit on memory"),
	ALLOW(munmap, "gives memory back"),
	ALLOW(set_tid_address, LIBC_START),
	ALLOW(set_robust_list, LIBC_START),
	ALLOW(rseq, LIBC_START),
	ALLOW(getrandom, "glibc's malloc() asks for some bytes"),
	ALLOW(rt_sigprocmask, SIGNALS),
	ALLOW(rt_sigaction, SIGNALS),
	ALLOW(sigaltstack, SIGNALS),
	ALLOW(rt_sigreturn, SIGNALS),
	ALLOW(getpid, WHO),
	ALLOW(gettid, WHO),
	ALLOW(getppid, WHO),
	ALLOW(getuid, WHO),
	ALLOW(geteuid, WHO),
	ALLOW(getgid, WHO),
	ALLOW(getegid, WHO),
	ALLOW(sched_yield, WHO),
	/* Without a condition the kernel needs not run the filter. */
	ALLOW(lseek,
		"the runner asks how far the text goes; no position matters "
		"to the grader"),

	/* The same, with the arguments that are harmless. */
	ALLOW_IF(arch_prctl, "libc's own storage: ARCH_SET_FS", 1,
		FILTER_INT(0, ARCH_SET_FS)),
	ALLOW_IF(clock_gettime,
		"time, and its own processor time; the negative clocks are "
		"those of other processes",
		1, FILTER_NOT_NEGATIVE(0)),
	ALLOW_IF(prlimit64, "its own limits, to be read", 2, FILTER_INT(0, 0),
		FILTER_LONG(2, 0)),
	ALLOW_IF(mmap, "memory that is no code", 3, NEW_MEMORY(2, 3),
		FILTER_BELOW(1, POLICY_LARGE_BYTES)),
	ALLOW_IF(mmap, "the plan: its pages are sealed", 3,
		SHARED_FILE(FD_PLAN)),
	ALLOW_IF(mmap, "the outputs", 3, SHARED_FILE(FD_OUTPUTS)),
	ALLOW_IF(mremap, "realloc()", 1, FILTER_BELOW(2, POLICY_LARGE_BYTES)),
	ALLOW_IF(mprotect, "memory that does not become code", 1,
		FILTER_BITS(2, PROT_EXEC, 0)),
	ALLOW_IF(madvise, "free(): MADV_DONTNEED", 1,
		FILTER_INT(2, MADV_DONTNEED)),
	ALLOW_IF(madvise, "free(): MADV_FREE", 1, FILTER_INT(2, MADV_FREE)),
	ALLOW_IF(write, TEXT, 1, FILTER_INT(0, FD_STDOUT)),
	ALLOW_IF(write, TEXT, 1, FILTER_INT(0, FD_STDERR)),
	ALLOW_IF(writev, TEXT, 1, FILTER_INT(0, FD_STDOUT)),
	ALLOW_IF(writev, TEXT, 1, FILTER_INT(0, FD_STDERR)),
	ALLOW_IF(read, EMPTY_INPUT, 1, FILTER_INT(0, FD_NULL)),
	ALLOW_IF(readv, EMPTY_INPUT, 1, FILTER_INT(0, FD_NULL)),

	/* The start of the program itself. */
	ALLOW_IF(sendmsg,
		"before the program starts; its start closes the descriptor", 1,
		FILTER_INT(0, FD_SOCKET)),
	{
		.call = SYS_execveat,
		.decision = POLICY_ALLOW,
		.instead = POLICY_ALLOW,
		.why = "the start of the program; the upper halves of both "
		       "registers hold a random key that no program is told",
		.n_conditions = 2,
		.conditions = {FILTER_KEYED(0, FD_PROGRAM),
			FILTER_KEYED(4, AT_EMPTY_PATH)},
		.keyed = true,
	},
	ALLOW_IF(exit_group, "a start that failed", 1,
		FILTER_LONG(0, SPAWN_EXIT_CODE)),

	FAIL(readlink, ENOENT, PRINTF),
	FAIL(readlinkat, ENOENT, PRINTF),
	FAIL(fstat, EBADF, PRINTF),
	FAIL(newfstatat, EBADF, PRINTF),
	FAIL(ioctl, ENOTTY, PRINTF),
	/* Opening a file is refused whole, although glibc's sysconf() asks for
	   one to count processors: whoever opens files shall be told, with
	   either libc. */
	FAIL(sysinfo, ENOSYS, "glibc's qsort() does without"),
	FAIL(dup, EBADF, "glibc's perror() does without"),
	FAIL(sched_getaffinity, ENOSYS, "glibc's sysconf() does without"),

	/* What we decide, or want to know of. */
	{
		.call = SYS_exit_group,
		.decision = POLICY_ASK,
		.instead = POLICY_ALLOW,
		.why = "whose exit it is, the runner's or the learner's, and "
		       "how much memory was used",
	},
	{
		.call = CRASH_REPORT_CALL,
		.decision = POLICY_ASK,
		.instead = POLICY_ERRNO,
		.why = "the runner's report of a crash",
	},
	ASK_OR_FAIL(SYS_mmap, ENOMEM,
		"granted within the limit on memory; else ENOMEM, and the "
		"report says how much was asked for",
		3, NEW_MEMORY(2, 3), FILTER_FROM(1, POLICY_LARGE_BYTES)),
	ASK_OR_FAIL(SYS_mremap, ENOMEM, "likewise", 1,
		FILTER_FROM(2, POLICY_LARGE_BYTES)),
	ASK_OR_FAIL(SYS_tkill, EPERM, ABORT, 1, FILTER_INT(1, SIGABRT)),
	ASK_OR_FAIL(SYS_tgkill, EPERM, ABORT, 1, FILTER_INT(2, SIGABRT)),
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

bool policy_build(bool listens, uint64_t key, struct sock_fprog *filter_out,
	struct error *err)
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
			.keyed = rule->keyed,
		};
		for (unsigned int k = 0; k < rule->n_conditions; k++)
			filter[i].conditions[k] = rule->conditions[k];
	}
	return filter_build(filter, N_RULES,
		listens ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS, key,
		filter_out, err);
}

static bool policy_prepare(struct sandbox *sandbox, struct error *err)
{
	/* Where nothing is run, the layers can still be shown. */
	if (!sandbox_check_layers(sandbox, &(struct error){0}))
		return true;
	return policy_build(sandbox->listens, sandbox->start_key,
		&sandbox->run_filter, err);
}

static void policy_finish(struct sandbox *sandbox)
{
	filter_finish(&sandbox->run_filter);
}

const struct sandbox_part sandbox_part_policy = {
	.prepare = policy_prepare,
	.finish = policy_finish,
};
