/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_TOOLCHAIN_H
#define GRADER_ENGINE_TOOLCHAIN_H

/*
 * Which compiler, assembler, linker and C library there are, found out by
 * asking gcc, once.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

enum libc_kind {
	LIBC_MUSL,
	LIBC_GLIBC, /* static; where musl is missing */
};

struct toolchain {
	const char *compiler; /* "gcc 12.2.0", for people */
	const char *identity; /* changes when any tool or the libc does */
	const char *cc1;      /* absolute paths */
	const char *as;
	const char *ld;
	enum libc_kind libc;
	const char *libc_name; /* "musl 1.2.3", "glibc 2.36 (static)" */
	const char *const *include_dirs; /* in order, NULL at the end */
	const char *libc_dir;            /* where libc.a is */
	const char *gcc_dir;             /* where libgcc.a is */
	const char *flags;               /* of the graded build, for reports */
};

/* ERROR_SYSTEM says which tool is missing and which package has it.  cache_dir
   may be NULL; the answer is kept there, and asked anew when gcc changes. */
bool toolchain_find(const char *cache_dir, struct arena *arena,
	struct toolchain *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
