/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_GCC_PROBE_H
#define GRADER_ENGINE_GCC_PROBE_H

/*
 * Asks gcc which programs it would run and where its own files are, and the
 * dynamic loader which libraries these programs need.  Both are run with a
 * clean environment, and see nothing of a submission.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct error;

enum { GCC_LIBRARIES_MAX = 32 };

struct gcc_facts {
	char compiler[64]; /* "gcc 12.2.0" */
	char cc1[PATH_MAX];
	char as[PATH_MAX];
	char ld[PATH_MAX];
	char gcc_dir[PATH_MAX];  /* holds libgcc.a and include/ */
	char libc_dir[PATH_MAX]; /* holds libc.a of gcc's own libc, or "" */
	/* Shared libraries of the three, their loader and its index. */
	char libraries[GCC_LIBRARIES_MAX][PATH_MAX];
	size_t n_libraries;
};

/* ERROR_SYSTEM says what is missing and which package has it. */
bool gcc_probe(const char *gcc, struct gcc_facts *facts, struct error *err)
	__attribute__((warn_unused_result));

/*
 * The same from what gcc -### printed, as far as it can be told from that:
 * all but the libraries.  Separate so that other gccs can be tried.
 */
bool gcc_read_answer(const char *answer, struct gcc_facts *facts,
	struct error *err) __attribute__((warn_unused_result));

#endif
