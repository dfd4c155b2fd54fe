/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_CALL_TABLE_H
#define TESTS_SUPPORT_CALL_TABLE_H

/*
 * The jails' tables of system calls, read by themselves: what should happen,
 * against which a filter built from them can be held.
 */

#include "sandbox/filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a program's start: see FILTER_KEYED(). */
#define CALL_TABLE_KEY UINT64_C(0x123456789abcdef0)

enum { CALL_TABLE_RULES_MAX = 192 };

struct call_table {
	struct filter_rule
		rules[CALL_TABLE_RULES_MAX]; /* the first that fits */
	size_t n_rules;
	uint32_t otherwise; /* an action, as those of the rules */
	uint64_t key;
};

/* The run jail's, with and without a listener; the compile jail's. */
void call_table_of_run(struct call_table *table, bool listens);
void call_table_of_tool(struct call_table *table);

/* The filter that the sandbox builds from it, with the same key. */
void call_table_filter_of_run(bool listens, struct sock_fprog *filter_out);
void call_table_filter_of_tool(struct sock_fprog *filter_out);

/* For calls of this architecture; NULL: none of the rules fits. */
const struct filter_rule *call_table_find(
	const struct call_table *table, int call, const uint64_t arguments[6]);
/* SECCOMP_RET_... with its data. */
uint32_t call_table_decide(
	const struct call_table *table, int call, const uint64_t arguments[6]);

/*
 * Calls visit for arguments on all sides of all conditions that the table has
 * for this call, in all combinations: values, their neighbours, single bits,
 * each with clean and with dirty upper halves.  Of a call without conditions,
 * for some that differ in everything.
 */
void call_table_probe(const struct call_table *table, int call,
	void (*visit)(void *context, int call, const uint64_t arguments[6]),
	void *context);

#endif
