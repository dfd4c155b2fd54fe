/* SPDX-License-Identifier: MIT */
#include "sandbox/internal.h"
#include "sandbox/landlock.h"

static bool layers_prepare(struct sandbox *sandbox, struct error *err)
{
	sandbox->listens = true;
	sandbox->landlock_abi = landlock_find_abi();
	if (sandbox->landlock_abi > 0)
		sandbox->run_landlock =
			landlock_create(sandbox->landlock_abi, err);
	return sandbox->landlock_abi == 0 || sandbox->run_landlock >= 0;
}

static void layers_finish(struct sandbox *sandbox)
{
	(void)sandbox;
}

const struct sandbox_part sandbox_part_layers = {
	.prepare = layers_prepare,
	.finish = layers_finish,
};
