/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_VIEW_H
#define SANDBOX_VIEW_H

/*
 * The files that a child sees, where the machine lets us choose them: a mount
 * namespace whose root is empty but for what is listed.
 *
 * It has no /proc, no /dev and no name of any other file: what is there on the
 * machine and what is not, look the same from inside.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct error;

/* Where the work folder is in there. */
#define VIEW_WORK_FOLDER "/grader-work"

struct view {
	int mount_ns; /* descriptors of namespaces; -1: there is none */
	int user_ns;  /* only where it took one to be allowed the other */
};

/* An initialiser. */
#define VIEW_NONE                                                              \
	{                                                                      \
		.mount_ns = -1, .user_ns = -1                                  \
	}

/*
 * Makes one of files and folders that are to be read, by their absolute paths
 * (where a link in one leads somewhere, the target is seen under the path as it
 * is written), NULL at the end, and the work folder.  inside is the id that we
 * ourselves get in a new user namespace, where it takes one: not 0, which would
 * keep its rights when it executes a program.  0 is for root: make none, for
 * whoever enters it takes on other ids, which it would not have.
 *
 * An error where the machine refuses, with the step that it refused; it is then
 * ERROR_SYSTEM, and nothing has changed.
 */
bool view_create(const char *work_folder, const char *const *reads, id_t inside,
	struct view *view_out, struct error *err)
	__attribute__((warn_unused_result));

void view_finish(struct view *view);

#endif
