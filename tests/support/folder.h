/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

/*
 * A folder that lasts for one test.  What cannot be done fails the test.
 */

#include <stddef.h>
#include <sys/types.h>

struct folder {
	char path[64];
	char last[320]; /* what folder_put() returned */
};

void folder_make(struct folder *folder);
void folder_remove(struct folder *folder); /* with all that is in it */

/* Writes a file anew; its path is good until the next call. */
const char *folder_put(struct folder *folder, const char *name,
	const char *content, mode_t mode);
size_t folder_count(const char *path); /* entries; 0 if it is not there */

#endif
