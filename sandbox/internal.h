/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_INTERNAL_H
#define SANDBOX_INTERNAL_H

/*
 * What the files of sandbox/ share and nobody else sees.
 *
 *   sandbox.c      creates and destroys; a table of the parts below
 *   layers.c       what of our protection this machine gives, by trying it
 *   layers_program.c  the same by a program that is run
 *   slot.c         what a jail takes up: ids, a stack
 *   policy.c       the run jail's filter
 *   run.c          the run jail
 *   run_answer.c   the calls that its program puts to us
 *   tool_policy.c  the compile jail's filter and what files it sees
 *   view.c         the same by a mount namespace
 *   tool.c         the compile jail
 *   work_dir.c     its folder
 *   spawn.c        starts a child for either jail
 *   spawn_limits.c its limits, where our own are lower
 */

#include "sandbox/sandbox.h"
#include "sandbox/slot.h"
#include "sandbox/view.h"
#include "sandbox/work_dir.h"

#include <linux/filter.h>
#include <sys/types.h>

struct error;

enum {
	LAYERS_MAX = 24,
	/* Room for a listener's messages, whose length is the kernel's. */
	NOTIFICATION_BYTES_MAX = 512,
};

struct sandbox {
	/* Until sandbox_create() returns. */
	const struct sandbox_options *options;

	int null;           /* /dev/null, to be read */
	uint64_t start_key; /* of both filters: see FILTER_KEYED() */

	/* The run jail. */
	struct slot run_slot;
	bool fixed_addresses;
	bool listens;                 /* calls can be handed to us to decide */
	int landlock_abi;             /* 0: the kernel has none */
	int run_landlock;             /* a ruleset that allows nothing, or -1 */
	struct sock_fprog run_filter; /* asks if listens, else kills */
	uint64_t patience_ms; /* how long a child may get no CPU at all */

	/* The compile jail, whose tools run one after the other. */
	struct slot tool_slot;
	struct work_dir work;
	struct view tool_view; /* or none */
	int tool_landlock;     /* or -1 */
	struct sock_fprog tool_filter;

	struct layer layers[LAYERS_MAX];
	size_t n_layers;
};

/*
 * A part of the sandbox.  prepare is called once, in the order of the table in
 * sandbox.c; finish also after a prepare that failed or was never called, when
 * all is as sandbox_create() left it: zero, and -1 for descriptors.
 */
struct sandbox_part {
	bool (*prepare)(struct sandbox *sandbox, struct error *err);
	void (*finish)(struct sandbox *sandbox);
};

extern const struct sandbox_part sandbox_part_work_dir;
extern const struct sandbox_part sandbox_part_layers;
extern const struct sandbox_part sandbox_part_policy;
extern const struct sandbox_part sandbox_part_tool_policy;

/*
 * Adds a layer to the list.  reason is NULL when it is there; else it says why
 * not, which makes a required layer broken and any other missing.
 */
void sandbox_add_layer(struct sandbox *sandbox, const char *name, bool required,
	const char *reason);

/* The reason of a layer that the options say to do without. */
#define LEFT_OUT "left out on request"

/* Whether the options say to do without it.  While sandbox_create() runs. */
bool sandbox_leaves_out(const struct sandbox *sandbox, const char *name);

/* False where a layer is broken: both jails ask this first. */
bool sandbox_check_layers(const struct sandbox *sandbox, struct error *err)
	__attribute__((warn_unused_result));

#endif
