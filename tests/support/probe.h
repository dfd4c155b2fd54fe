/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PROBE_H
#define TESTS_SUPPORT_PROBE_H

/*
 * System calls made by a program in the run jail, one for each call of a plan:
 * what ends the program ends that process alone.
 */

#include "sandbox/sandbox.h"
#include "tests/support/call_table.h"
#include "tests/support/jail.h"

enum probe_way {
	PROBE_NATIVE,
	PROBE_X32,
	PROBE_INT_80,
	PROBE_WAYS,
};

/* Arguments that only the program knows: numbers of processes, the page with
   its input, and a path, "/bin/true". */
#define PROBE_SELF UINT64_C(0x7e57000000000001)
#define PROBE_PARENT UINT64_C(0x7e57000000000002)
#define PROBE_PAGE UINT64_C(0x7e57000000000003)
#define PROBE_PATH UINT64_C(0x7e57000000000004)

struct probe {
	enum probe_way way;
	int call; /* of x32 with its bit */
	uint64_t arguments[6];
};

struct probing {
	struct sandbox *sandbox;
	struct call_table table; /* what should happen */
	struct probe list[JAIL_CALLS_MAX];
	size_t n;
	struct jail_program program;
	struct jail_plan plan;
	struct run_result result; /* of the last */
};

/* With a listener, if there can be one, or without. */
struct probing *probing_create(bool listens);
void probing_destroy(struct probing *of);

struct probe *probing_add(struct probing *of, enum probe_way way, int call);
/* Once, when all are added. */
void probing_build(struct probing *of);
/* Makes one of the calls in a process of its own. */
void probing_run(struct probing *of, size_t which);

/* What the kernel returned to it: -errno, or a result. */
double probing_returned(const struct probing *of, size_t which);
/* For messages; good until the next. */
const char *probing_describe(const struct probe *probe);

void probing_check_end(
	const struct probing *of, size_t which, enum run_end end);
void probing_check_answer(
	const struct probing *of, size_t which, double answer);
/* Killed, and told by number, architecture, name and arguments, if we can be
   asked. */
void probing_check_violation(const struct probing *of, size_t which);

#endif
