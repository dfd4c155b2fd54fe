/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	STACK_BYTES = 0x10000,
	GUARD_BYTES = 0x1000,
	PATIENCE_MS = 10000,
	DESCRIPTORS_MIN = 64,
};

/* In the order in which they are prepared: later ones rest on earlier ones. */
static const struct sandbox_part *const parts[] = {
	&sandbox_part_layers,
	&sandbox_part_policy,
	&sandbox_part_tool_policy,
};

enum { N_PARTS = sizeof(parts) / sizeof(struct sandbox_part *) };

/* Ids that neither a distribution nor systemd gives to anybody: two graders
   that run side by side mostly get different ones. */
enum {
	SLOT_ID_FIRST = 60578,
	SLOT_ID_COUNT = 512,
};

static void choose_ids(struct sandbox *sandbox)
{
	id_t id = SLOT_ID_FIRST + (id_t)getpid() % SLOT_ID_COUNT;

	sandbox->change_ids = geteuid() == 0;
	sandbox->uid = id;
	sandbox->gid = id;
}

/* The child's stack, with a guard below. */
static bool make_stack(struct sandbox *sandbox, struct error *err)
{
	char *pages =
		mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (pages == MAP_FAILED)
		return error_set_errno(err, "cannot make a stack for jails");
	sandbox->stack = pages + GUARD_BYTES;
	sandbox->stack_bytes = STACK_BYTES;
	if (mprotect(pages, GUARD_BYTES, PROT_NONE) != 0)
		return error_set_errno(err, "cannot make a stack for jails");
	return true;
}

/* Where nobody can be waited for, nobody can be seen to end. */
static bool children_can_be_awaited(struct error *err)
{
	struct sigaction action;

	if (sigaction(SIGCHLD, NULL, &action) != 0)
		return error_set_errno(err, "cannot look up SIGCHLD");
	if (action.sa_handler == SIG_IGN || (action.sa_flags & SA_NOCLDWAIT))
		return error_set(err, ERROR_SYSTEM,
			"SIGCHLD is ignored: how a jail ended would be lost");
	return true;
}

/* Of the soft limit, which holds for what we open ourselves. */
static bool descriptors_suffice(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return error_set_errno(err, "cannot look up limits");
	if (limit.rlim_cur >= DESCRIPTORS_MIN)
		return true;
	return error_set(err, ERROR_SYSTEM,
		"the limit on open files (ulimit -n) is %d here, and %d are "
		"needed: raise it",
		(int)limit.rlim_cur, DESCRIPTORS_MIN);
}

static bool prepare(
	struct sandbox *sandbox, const char *temp_dir, struct error *err)
{
	sandbox->temp_dir = strdup(temp_dir);
	if (!sandbox->temp_dir)
		return error_set(err, ERROR_SYSTEM, "out of memory");
	sandbox->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (sandbox->null < 0)
		return error_set_errno(err, "cannot open '/dev/null'");
	if (getrandom(&sandbox->start_key, sizeof(sandbox->start_key), 0) !=
		sizeof(sandbox->start_key))
		return error_set_errno(err, "cannot draw a random number");
	choose_ids(sandbox);
	if (!children_can_be_awaited(err) || !descriptors_suffice(err) ||
		!make_stack(sandbox, err))
		return false;
	for (size_t i = 0; i < N_PARTS; i++)
		if (!parts[i]->prepare(sandbox, err))
			return false;
	return true;
}

struct sandbox *sandbox_create(const char *temp_dir, struct error *err)
{
	struct sandbox *sandbox;

	sandbox = malloc(sizeof(*sandbox));
	if (!sandbox) {
		error_write(err, ERROR_SYSTEM, "out of memory");
		return NULL;
	}
	*sandbox = (struct sandbox){
		.null = -1,
		.run_landlock = -1,
		.tool_landlock = -1,
		.patience_ms = PATIENCE_MS,
	};
	if (!prepare(sandbox, temp_dir, err)) {
		error_write_prefix(err, "cannot set up the jails");
		sandbox_destroy(sandbox);
		return NULL;
	}
	return sandbox;
}

void sandbox_destroy(struct sandbox *sandbox)
{
	if (!sandbox)
		return;
	for (size_t i = N_PARTS; i-- > 0;)
		parts[i]->finish(sandbox);
	if (sandbox->stack)
		munmap((char *)sandbox->stack - GUARD_BYTES,
			GUARD_BYTES + sandbox->stack_bytes);
	if (sandbox->null >= 0)
		close(sandbox->null);
	free(sandbox->temp_dir);
	free(sandbox);
}

const struct layer *sandbox_layers(
	const struct sandbox *sandbox, size_t *count_out)
{
	*count_out = sandbox->n_layers;
	return sandbox->layers;
}

void sandbox_add_layer(struct sandbox *sandbox, const char *name, bool required,
	const char *reason)
{
	struct layer *layer = &sandbox->layers[sandbox->n_layers];

	assert(sandbox->n_layers < LAYERS_MAX);
	*layer = (struct layer){
		.name = name,
		.required = required,
		.state = !reason   ? LAYER_OK
			: required ? LAYER_BROKEN
				   : LAYER_MISSING,
	};
	snprintf(layer->reason, sizeof(layer->reason), "%s",
		reason ? reason : "");
	sandbox->n_layers++;
}

bool sandbox_check_layers(const struct sandbox *sandbox, struct error *err)
{
	for (size_t i = 0; i < sandbox->n_layers; i++)
		if (sandbox->layers[i].state == LAYER_BROKEN)
			return error_set(err, ERROR_SYSTEM,
				"this machine cannot jail programs: %s: %s",
				sandbox->layers[i].name,
				sandbox->layers[i].reason);
	return true;
}
