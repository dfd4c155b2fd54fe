/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_CACHE_H
#define GRADER_ENGINE_CACHE_H

/*
 * Keeps what is costly to make, under the hash of all it was made from.
 *
 * A cache never fails: what cannot be read, is damaged or is somebody else's
 * is not there, and what cannot be written is made again next time.  Any
 * number of graders share a folder: entries appear whole, by rename.
 */

#include <stdbool.h>
#include <stddef.h>

/*
 * key is a hash in hex.  dir may be NULL: nothing is found.  *data_out is the
 * caller's to free, and ends with a NUL that *len_out leaves out.
 */
bool cache_get(const char *dir, const char *key, size_t max, char **data_out,
	size_t *len_out) __attribute__((warn_unused_result));

/* Makes the folder, with those above it, if need be: mode 0700. */
void cache_put(const char *dir, const char *key, const void *data, size_t len);

#endif
