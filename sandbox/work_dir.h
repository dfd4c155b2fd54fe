/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_WORK_DIR_H
#define SANDBOX_WORK_DIR_H

/*
 * The inside of a work folder, for the compile jail.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct error;
struct slot;

struct work_dir {
	int fd; /* of the folder; -1: there is none */
	bool taken;
	char path[PATH_MAX];
};

/*
 * Makes the one file that the slot's user may write, and sees to it that no
 * other can be made there: what a tool can take up of the disk is what one file
 * of it may hold.
 */
bool work_dir_begin(struct work_dir *work, const struct slot *slot,
	const char *output, int *fd_out, struct error *err)
	__attribute__((warn_unused_result));

/* When the tool is dead: nobody can write that file again.  Closes it. */
bool work_dir_end(struct work_dir *work, int fd, uint64_t *bytes_out,
	struct error *err) __attribute__((warn_unused_result));

/* Whether its disk has that much left for whoever is not root. */
bool work_dir_has_room(const struct work_dir *work, uint64_t bytes);

#endif
