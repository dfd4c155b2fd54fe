/* SPDX-License-Identifier: MIT */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/*
 * The name that was most likely meant, for "did you mean": the one of count
 * names with the fewest slips (insertion, deletion, replacement, two swapped
 * letters; upper and lower case are the same), or NULL if none is within a
 * third of the word's length, at least two slips.
 */
const char *nearest_name(
	const char *word, const char *const names[], size_t count);

#endif
