/* SPDX-License-Identifier: MIT */
#include "sandbox/landlock.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's own, of version 6: older headers end earlier. */
struct ruleset {
	uint64_t fs;
	uint64_t net;
	uint64_t scoped;
};

enum { ASK_VERSION = 1 };

#define BITS(n) (((uint64_t)1 << (n)) - 1)

/* What each version can forbid; it refuses what it does not know. */
static const struct {
	struct ruleset ruleset;
	size_t bytes;
} versions[] = {
	{{BITS(13), 0, 0}, 8},
	{{BITS(14), 0, 0}, 8},              /* links between folders */
	{{BITS(15), 0, 0}, 8},              /* truncate */
	{{BITS(15), BITS(2), 0}, 16},       /* TCP */
	{{BITS(16), BITS(2), 0}, 16},       /* ioctl of devices */
	{{BITS(16), BITS(2), BITS(2)}, 24}, /* signals, abstract sockets */
};

enum { N_VERSIONS = sizeof(versions) / sizeof(versions[0]) };

int landlock_find_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);

	return abi > 0 ? (int)abi : 0;
}

int landlock_create(int abi, struct error *err)
{
	int known = abi < N_VERSIONS ? abi : N_VERSIONS;
	long fd = syscall(SYS_landlock_create_ruleset,
		&versions[known - 1].ruleset, versions[known - 1].bytes, 0);

	if (fd < 0)
		error_write_errno(err, "cannot make a Landlock ruleset");
	return (int)fd;
}
