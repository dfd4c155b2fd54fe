/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_HINT_H
#define GRADER_CLI_HINT_H

#include <stddef.h>

struct exercise;
struct style;
struct text;

/* Hints first to last, numbers from 1. */
void hint_put(struct text *out, const struct style *style,
	const struct exercise *exercise, size_t first, size_t last);

#endif
