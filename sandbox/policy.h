/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_POLICY_H
#define SANDBOX_POLICY_H

/*
 * What a program may ask of the kernel in the run jail: one table, from which
 * the filters are built, and docs/syscalls.md is made.  All that it does not
 * list is a violation.
 */

#include <linux/filter.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* A request for memory of this size or more is put to us: that is how we know
   that, and for how much, a program asked in vain.  Smaller ones are the
   kernel's to refuse (RLIMIT_AS), and so rare to be many times too slow. */
#define POLICY_LARGE_BYTES 0x100000u

enum policy_decision {
	POLICY_ALLOW,
	POLICY_ERRNO,
	POLICY_ASK, /* not a violation by itself: sandbox/run.c decides */
};

struct policy_rule {
	int call;
	enum policy_decision decision;
	int number; /* ERRNO: which */
	/* Where the kernel lets us decide nothing: ALLOW or ERRNO. */
	enum policy_decision instead;
	int instead_number;
	unsigned int n_conditions;
	struct scmp_arg_cmp conditions[4];
	bool keyed;      /* FILTER_KEYED() */
	const char *why; /* for docs/syscalls.md */
};

const struct policy_rule *policy_rules(size_t *count_out);

/* Whether a call that was put to us is one that the table says to ask about;
   any other is a violation.  For calls of this architecture. */
bool policy_asks(int call, const uint64_t arguments[6]);

/* listens: what is left open is put to us; else the process is killed.  key is
   that of its start: see FILTER_KEYED(). */
bool policy_build(bool listens, uint64_t key, struct sock_fprog *filter_out,
	struct error *err) __attribute__((warn_unused_result));

#endif
