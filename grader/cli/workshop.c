/* SPDX-License-Identifier: MIT */
#include "grader/cli/workshop.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAYERS_MAX = 64 };

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A handler has no other way to what it needs. */
static int cancel_fd = -1;
static volatile sig_atomic_t stopped_by;

static void stop(int number)
{
	uint64_t one = 1;
	int saved = errno;

	stopped_by = number;
	/* The counter cannot overflow from the few signals there will be. */
	if (write(cancel_fd, &one, sizeof(one)) < 0)
		stopped_by = number;
	errno = saved;
}

static bool catch_signals(struct error *err)
{
	struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};

	cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (cancel_fd < 0)
		return error_set_errno(err, "cannot make an eventfd");
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals);
		i++) {
		struct sigaction before;

		/* What was ignored for us (nohup) stays ignored. */
		if (sigaction(stop_signals[i], NULL, &before) == 0 &&
			before.sa_handler != SIG_IGN)
			sigaction(stop_signals[i], &action, NULL);
	}
	return true;
}

/* Programs from the cache are run: nobody else may put one there. */
static bool is_ours(const char *folder)
{
	struct stat status;

	return stat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
		status.st_uid == geteuid() &&
		!(status.st_mode & (S_IWGRP | S_IWOTH)) &&
		access(folder, R_OK | W_OK | X_OK) == 0;
}

const char *workshop_find_cache(
	const struct invocation *invocation, const char **reason_out)
{
	const char *folder = invocation->environment.cache_home;

	if (invocation->options.no_cache)
		*reason_out = "--no-cache";
	else if (!folder)
		*reason_out = "neither $XDG_CACHE_HOME nor $HOME is a folder";
	else if (!file_make_folders(folder))
		*reason_out = strerrordesc_np(errno);
	else if (!is_ours(folder))
		*reason_out = "it is not ours alone to write to";
	else
		return folder;
	return NULL;
}

bool workshop_open(struct invocation *invocation, struct tools *tools_out,
	struct error *err)
{
	struct tools tools = {.cancel = -1};
	struct sandbox_options options = {
		.temp_dir = invocation->environment.temp_dir,
	};
	const char *reason;

	tools.cache_dir = workshop_find_cache(invocation, &reason);
	if (!toolchain_find(
		    tools.cache_dir, invocation->arena, &tools.toolchain, err))
		return false;
	options.tool_reads = tools.toolchain.reads;
	/* First: the sandbox has a folder, which would stay behind. */
	if (!catch_signals(err))
		return false;
	tools.sandbox = sandbox_create(&options, err);
	if (!tools.sandbox) {
		workshop_close(&tools);
		return false;
	}
	tools.cancel = cancel_fd;
	*tools_out = tools;
	return true;
}

void workshop_close(struct tools *tools)
{
	sandbox_destroy(tools->sandbox);
	tools->sandbox = NULL;
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(*stop_signals);
		i++) {
		struct sigaction now;

		if (sigaction(stop_signals[i], NULL, &now) == 0 &&
			now.sa_handler == stop)
			signal(stop_signals[i], SIG_DFL);
	}
	close(cancel_fd);
	cancel_fd = -1;
	if (stopped_by)
		raise(stopped_by);
}

static bool check_layer(const struct layer *layers, size_t count,
	const char *name, struct error *err)
{
	const char *names[LAYERS_MAX];
	const char *nearest;
	size_t i;

	for (i = 0; i < count && i < LAYERS_MAX; i++) {
		names[i] = layers[i].name;
		if (strcmp(layers[i].name, name) != 0)
			continue;
		if (layers[i].state == LAYER_OK)
			return true;
		return error_set(err, ERROR_SYSTEM,
			"the layer '%s' is required and missing: %s", name,
			layers[i].reason);
	}
	nearest = nearest_name(name, names, i);
	return error_set(err, ERROR_USAGE, "there is no layer '%.100s'%s%s%s",
		name, nearest ? "; did you mean '" : "; see grader doctor",
		nearest ? nearest : "", nearest ? "'?" : "");
}

bool workshop_check_required(const struct invocation *invocation,
	const struct tools *tools, struct error *err)
{
	const char *rest = invocation->options.require;
	size_t count;
	const struct layer *layers = sandbox_layers(tools->sandbox, &count);

	while (rest && *rest) {
		size_t len = strcspn(rest, ",");
		char name[128];

		snprintf(name, sizeof(name), "%.*s", (int)len, rest);
		rest += len + (rest[len] == ',');
		if (strcmp(name, "all") != 0) {
			if (!check_layer(layers, count, name, err))
				return false;
			continue;
		}
		for (size_t i = 0; i < count; i++)
			if (!check_layer(layers, count, layers[i].name, err))
				return false;
	}
	return true;
}
