/* SPDX-License-Identifier: MIT */
#include "sandbox/internal.h"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool layers_prepare(struct sandbox *sandbox, struct error *err)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
		LANDLOCK_CREATE_RULESET_VERSION);

	(void)err;
	sandbox->landlock_abi = abi > 0 ? (int)abi : 0;
	return true;
}

static void layers_finish(struct sandbox *sandbox)
{
	(void)sandbox;
}

const struct sandbox_part sandbox_part_layers = {
	.prepare = layers_prepare,
	.finish = layers_finish,
};
