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
};

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
 * says nothing new, and may stand there for a reader.
 */
bool filter_build(const struct filter_rule *rules, size_t n_rules,
	uint32_t otherwise, struct sock_fprog *filter_out, struct error *err)
	__attribute__((warn_unused_result));

/* Takes a zeroed one, too. */
void filter_finish(struct sock_fprog *filter);

#endif
