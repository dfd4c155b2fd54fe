/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	PATIENCE_MS = 10000,
	DESCRIPTORS_MIN = 64,
};

/* In the order in which they are prepared: later ones rest on earlier ones. */
static const struct sandbox_part *const parts[] = {
	&sandbox_part_layers,
	&sandbox_part_work_dir,
	&sandbox_part_policy,
	&sandbox_part_tool_policy,
};

enum { N_PARTS = sizeof(parts) / sizeof(struct sandbox_part *) };

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

/* What sandbox_options.without may name. */
static const char *const optional_layers[] = {"syscall names", "landlock",
	"landlock network", "landlock scopes", "separate uid",
	"fixed addresses", "compiler namespaces", "compiler landlock",
	"cgroup memory"};

enum { N_OPTIONAL_LAYERS = sizeof(optional_layers) / sizeof(*optional_layers) };

static bool check_options(
	const struct sandbox_options *options, struct error *err)
{
	const char *const *name = options->without;

	for (; name && *name; name++) {
		size_t i = 0;

		while (i < N_OPTIONAL_LAYERS &&
			strcmp(optional_layers[i], *name) != 0)
			i++;
		if (i == N_OPTIONAL_LAYERS)
			return error_set(err, ERROR_USAGE,
				"the layer '%s' cannot be left out", *name);
	}
	return true;
}

static bool prepare(struct sandbox *sandbox, struct error *err)
{
	sandbox->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (sandbox->null < 0)
		return error_set_errno(err, "cannot open '/dev/null'");
	if (getrandom(&sandbox->start_key, sizeof(sandbox->start_key), 0) !=
		sizeof(sandbox->start_key))
		return error_set_errno(err, "cannot draw a random number");
	if (!check_options(sandbox->options, err) ||
		!children_can_be_awaited(err) || !descriptors_suffice(err) ||
		!slot_create(&sandbox->run_slot, err) ||
		!slot_create(&sandbox->tool_slot, err))
		return false;
	for (size_t i = 0; i < N_PARTS; i++)
		if (!parts[i]->prepare(sandbox, err))
			return false;
	return true;
}

struct sandbox *sandbox_create(
	const struct sandbox_options *options, struct error *err)
{
	struct sandbox *sandbox;

	sandbox = malloc(sizeof(*sandbox));
	if (!sandbox) {
		error_write(err, ERROR_SYSTEM, "out of memory");
		return NULL;
	}
	*sandbox = (struct sandbox){
		.options = options,
		.null = -1,
		.run_slot = SLOT_NONE,
		.run_landlock = -1,
		.tool_slot = SLOT_NONE,
		.work = {.fd = -1},
		.tool_view = VIEW_NONE,
		.tool_landlock = -1,
		.patience_ms = PATIENCE_MS,
	};
	if (!prepare(sandbox, err)) {
		error_write_prefix(err, "cannot set up the jails");
		sandbox_destroy(sandbox);
		return NULL;
	}
	sandbox->options = NULL;
	return sandbox;
}

void sandbox_destroy(struct sandbox *sandbox)
{
	if (!sandbox)
		return;
	for (size_t i = N_PARTS; i-- > 0;)
		parts[i]->finish(sandbox);
	slot_finish(&sandbox->run_slot);
	slot_finish(&sandbox->tool_slot);
	if (sandbox->null >= 0)
		close(sandbox->null);
	free(sandbox);
}

bool sandbox_leaves_out(const struct sandbox *sandbox, const char *name)
{
	const char *const *without = sandbox->options->without;

	for (; without && *without; without++)
		if (strcmp(*without, name) == 0)
			return true;
	return false;
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
