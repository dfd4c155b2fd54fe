/* SPDX-License-Identifier: MIT */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

/*
 * Files that the program carries inside it, so that an installed grader needs
 * none beside it (embedded.S; the Makefile says which).  Each ends where its
 * _end is; the texts have no NUL.
 */

extern const char embedded_runner[]; /* sandbox/runner, a relocatable object */
extern const char embedded_runner_end[];
extern const char embedded_random[]; /* grader/engine/random.h */
extern const char embedded_random_end[];
extern const char embedded_shim[]; /* grader/engine/shim.h */
extern const char embedded_shim_end[];
extern const char embedded_shim_checked[]; /* grader/engine/shim_checked.h */
extern const char embedded_shim_checked_end[];
extern const char embedded_search[]; /* grader/engine/search.h */
extern const char embedded_search_end[];

#endif
