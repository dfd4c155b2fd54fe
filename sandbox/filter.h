/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

/*
 * Builds system call filters from tables, by libseccomp.
 */

#include <linux/filter.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum { FILTER_CONDITIONS_MAX = 4 };

/* A call with these arguments gets this action (SCMP_ACT_...). */
struct filter_rule {
	int call; /* number on this architecture */
	uint32_t action;
	unsigned int n_conditions;
	struct scmp_arg_cmp conditions[FILTER_CONDITIONS_MAX];
	bool keyed; /* FILTER_KEYED() */
};

/*
 * Conditions of the call that starts a jail's program, the first two of its
 * rule, which is keyed: these int arguments, and in the upper halves of their
 * registers, which the kernel takes no notice of, the two halves of a key.
 *
 * That the program's descriptor is closed by its start does not suffice: no
 * descriptor counts where a path begins with a slash.  The key is not in the
 * new program's memory, and each guess that is wrong is a refused call.
 */
#define FILTER_KEYED(argument, value)                                          \
	{                                                                      \
		(argument), SCMP_CMP_EQ, (value), 0                            \
	}

/* Such an argument, as the caller has to put it: half is 0 or 1. */
static inline uint64_t filter_key_argument(
	uint64_t key, int half, unsigned int value)
{
	return (half ? key << 32 : key & ~UINT64_C(0xffffffff)) | value;
}

/*
 * Conditions, as initialisers.  The kernel takes descriptors and flags of type
 * int from the lower half of a register, whatever the upper holds.
 */
#define FILTER_INT(argument, value)                                            \
	{                                                                      \
		(argument), SCMP_CMP_MASKED_EQ, 0xffffffffu, (value)           \
	}
#define FILTER_BITS(argument, mask, value)                                     \
	{                                                                      \
		(argument), SCMP_CMP_MASKED_EQ, (mask), (value)                \
	}
#define FILTER_NOT_NEGATIVE(argument) FILTER_BITS(argument, 0x80000000u, 0)
#define FILTER_LONG(argument, value)                                           \
	{                                                                      \
		(argument), SCMP_CMP_EQ, (value), 0                            \
	}
#define FILTER_BELOW(argument, value)                                          \
	{                                                                      \
		(argument), SCMP_CMP_LT, (value), 0                            \
	}
#define FILTER_FROM(argument, value)                                           \
	{                                                                      \
		(argument), SCMP_CMP_GE, (value), 0                            \
	}

/*
 * otherwise is the action for all that no rule decides, calls of the machine's
 * other architectures included (int 0x80, x32).  A rule of that same action
 * says nothing new, and may stand there for a reader.  key is that of the keyed
 * rules.
 */
bool filter_build(const struct filter_rule *rules, size_t n_rules,
	uint32_t otherwise, uint64_t key, struct sock_fprog *filter_out,
	struct error *err) __attribute__((warn_unused_result));

/* Takes a zeroed one, too. */
void filter_finish(struct sock_fprog *filter);

#endif
