/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

struct error;

/* The version that the kernel knows; 0 if it has none or has it turned off. */
int landlock_find_abi(void);

/*
 * A ruleset (a descriptor) that forbids all that this version can: every
 * access to files, TCP, signals and abstract sockets that lead outside.
 */
int landlock_create(int abi, struct error *err)
	__attribute__((warn_unused_result));

#endif
