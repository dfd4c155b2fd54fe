/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_TOOLS_H
#define GRADER_ENGINE_TOOLS_H

/*
 * What the stages work with: the jails, the compiler, the cache.  Made once by
 * the front end, which alone reads the environment, and handed down.
 */

#include "grader/engine/toolchain.h"

#include <stdint.h>

struct arena;
struct error;
struct sandbox;

struct tools {
	struct sandbox *sandbox;
	struct toolchain toolchain;
	const char *cache_dir; /* NULL: no cache */
	int cancel;            /* give up once it is readable; -1: never */
	uint64_t deadline_ms;  /* wall time for each process; 0: none */
};

#endif
