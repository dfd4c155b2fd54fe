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

/* Lists of strings have NULL at the end. */
struct toolchain {
	const char *compiler; /* "gcc 12.2.0", for people */
	const char *identity; /* changes when any tool or the libc does */
	const char *cc1;      /* absolute paths */
	const char *as;
	const char *ld;
	enum libc_kind libc;
	const char *libc_name; /* "musl 1.2.3", "glibc 2.36 (static)" */
	const char *const *include_dirs; /* in order */
	const char *libc_dir;            /* where libc.a is */
	const char *gcc_dir;             /* where libgcc.a is */
	const char *const *own_flags;    /* for this compiler, besides those of
					    every build */
	const char *flags;               /* of the graded build, for reports */
	const char *const *start_files;  /* linked in front of all else */
	const char *const *libraries;    /* behind all else, in a group */
	const char *const *end_files;    /* behind that group */
	/* Every file and folder that the tools read but their work folder:
	   themselves, their shared libraries, the above. */
	const char *const *reads;
};

/* The flags of every build, cc1's; its kind adds -O1 or -O2. */
extern const char *const toolchain_flags[];

/* Where to look; toolchain_find() says where that is by default. */
struct toolchain_places {
	const char *const *gccs;
	const char *musl_include;
	const char *musl_lib;
};

/* ERROR_SYSTEM says which tool is missing and which package has it.  cache_dir
   may be NULL; the answer is kept there, and asked anew when gcc changes. */
bool toolchain_find(const char *cache_dir, struct arena *arena,
	struct toolchain *out, struct error *err)
	__attribute__((warn_unused_result));

bool toolchain_find_in(const struct toolchain_places *places,
	const char *cache_dir, struct arena *arena, struct toolchain *out,
	struct error *err) __attribute__((warn_unused_result));

#endif
