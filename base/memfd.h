/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMFD_H
#define BASE_MEMFD_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/*
 * A memory file with these bytes, sealed: nobody can change it any more, and
 * that is sealed, too.  name is for /proc and messages.
 *
 * One that is executable has the mode 0111: nobody but who holds it can open
 * it, or the memory of its process.
 */
int memfd_create_sealed(const char *name, const void *data, size_t len,
	bool executable, struct error *err) __attribute__((warn_unused_result));

#endif
