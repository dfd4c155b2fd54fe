/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

/*
 * Processes as /proc shows them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	PROCESS_FDS_MAX = 64,
	PROCESS_TARGET_MAX = 96,
};

/* A number alone may be another process's by now: with its start it is not. */
struct process {
	pid_t pid;
	pid_t parent;
	char state; /* as in /proc/PID/stat: 'R', 'Z' ... */
	/* A zombie, or on its way there: it executes nothing of its own any
	   more, though on a busy machine it may take a while to be gone. */
	bool ended;
	unsigned long long start;
};

/* False: it is gone. */
bool process_read(pid_t pid, struct process *process_out);
/* It is there and has not ended. */
bool process_runs(const struct process *process);

/* Its children, zombies among them; how many, of which at most max are told. */
size_t process_children(pid_t parent, struct process *children, size_t max);

/* What a link of its folder in /proc points to, "exe" or "fd/3"; false where
   it is not to be had. */
bool process_link(pid_t pid, const char *name, char *target, size_t size);

/* A file of its folder, with a NUL that the length leaves out; -1 where it is
   not to be had. */
ssize_t process_file(pid_t pid, const char *name, char *data, size_t size);

/* Its open descriptors, ascending; -1 where they are not to be had. */
ssize_t process_fds(pid_t pid, int fds[PROCESS_FDS_MAX]);

#endif
