/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_SAVES_H
#define GRADER_CLI_SAVES_H

/*
 * Notices that a file was saved, however the editor does it: written in place,
 * renamed over, removed and made anew.
 *
 * inotify on the file's folder only says when to look.  What counts is whether
 * the file's name now stands for something else than it did when it was last
 * looked at, so that nothing is missed where inotify does not work (network
 * file systems, its limits), as long as saves_check() is called now and then.
 */

#include <stdbool.h>
#include <sys/stat.h>

struct saves {
	const char *file;
	int inotify; /* to be polled for reading; -1: there is none */
	bool watched;
	bool present;
	struct stat last;
};

/* What the file is now counts as seen; it need not exist. */
void saves_init(struct saves *saves, const char *file);
void saves_finish(struct saves *saves);

/* Whether it has changed, gone or come since the last call. */
bool saves_check(struct saves *saves);

#endif
