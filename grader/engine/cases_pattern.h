/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CASES_PATTERN_H
#define GRADER_ENGINE_CASES_PATTERN_H

#include <stdbool.h>

struct arena;
struct error;
struct exercise;

/*
 * Whether a glob pattern matches the name of any case; NULL matches all.  If
 * none, the error (ERROR_USAGE) has the nearest name, or some of the names.
 */
bool cases_check_pattern(const struct exercise *exercise, const char *pattern,
	struct arena *arena, struct error *err)
	__attribute__((warn_unused_result));

#endif
