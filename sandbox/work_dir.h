/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_WORK_DIR_H
#define SANDBOX_WORK_DIR_H

/*
 * The inside of a work folder, for the compile jail.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct work_dir {
	int fd;       /* of the folder */
	int landlock; /* the ruleset of its tools, made with the first; or -1 */
	char path[PATH_MAX];
};

/* Whether its disk has that much left for whoever is not root. */
bool work_dir_has_room(const struct work_dir *work, uint64_t bytes);

#endif
