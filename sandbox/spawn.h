/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_SPAWN_H
#define SANDBOX_SPAWN_H

/*
 * Starts one program with nothing but what is listed here.
 *
 * Both jails are a struct spawn filled in differently.  Everything is prepared
 * before the child exists; between clone and exec the child makes raw system
 * calls only, since it shares the parent's memory (CLONE_VM, CLONE_VFORK).
 */

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct error;
struct view;

/*
 * A child that cannot go on once its filter is loaded leaves by
 * exit_group(SPAWN_EXIT_CODE).  A filter must let that pass without asking,
 * since the parent is stopped until the child has executed its program; and so
 * must it sendmsg() to FD_SOCKET, if it listens, and execveat() of FD_PROGRAM
 * with the start's key (FILTER_KEYED()).
 * No exit() of C reaches the upper half of the register.
 */
#define SPAWN_EXIT_CODE 0x100000000u

/*
 * What the grader itself may have of it is the most that a child gets.  Where
 * that is below the least, the child is not started, since what came of it
 * would be taken for its own fault.
 */
struct spawn_limit {
	int resource; /* RLIMIT_... */
	struct rlimit64 limit;
	uint64_t least;
};

/* An initialiser: so much, and no way to raise it. */
#define SPAWN_LIMIT_FROM(which, most, at_least)                                \
	{                                                                      \
		.resource = (which),                                           \
		.limit = {.rlim_cur = (most), .rlim_max = (most)},             \
		.least = (at_least),                                           \
	}
/* Less will do as well. */
#define SPAWN_LIMIT(which, most) SPAWN_LIMIT_FROM(which, most, 0)
/* Less will not do. */
#define SPAWN_LIMIT_EXACT(which, most) SPAWN_LIMIT_FROM(which, most, most)

struct spawn {
	int program; /* executed by descriptor; the path plays no part */
	char *const *argv;
	char *const *envp;
	const int *fds; /* become 0, 1, 2 ...; all others are closed */
	size_t n_fds;
	const struct view *view; /* the files that it sees; NULL: as we do */
	int work_dir; /* descriptor to start in, without a view; -1: stay */
	const struct spawn_limit *limits;
	size_t n_limits;
	int cgroup;      /* whose writer enters it, or -1 */
	bool change_ids; /* to uid and gid below, with no other groups */
	uid_t uid;
	gid_t gid;
	bool fixed_addresses; /* no randomisation, if the machine lets us */
	int landlock;         /* ruleset descriptor, or -1 */
	const struct sock_fprog *filter; /* or NULL */
	uint64_t start_key;              /* that it was built with */
	bool listen; /* the filter asks the parent: hand out its listener */
	void *stack; /* the child's, until it executes the program */
	size_t stack_bytes;
};

struct spawn_child {
	pid_t pid;
	int pidfd;
	int listener; /* -1 unless asked for */
};

/* False, with the limit's name, where one of ours is below the least. */
bool spawn_check_limits(const struct spawn *spawn, struct error *err)
	__attribute__((warn_unused_result));

/*
 * Starts the child; on success it has executed its program, in a session of its
 * own, with all signals at their defaults.  It is killed when the thread that
 * started it ends.  A failure between clone and exec is our own and comes back
 * as an error that names the step; EBUSY of a filter that listens means that
 * another listener stands in the way.
 */
bool spawn_start(const struct spawn *spawn, struct spawn_child *child_out,
	struct error *err) __attribute__((warn_unused_result));

/* Does nothing to one that is dead. */
void spawn_kill(const struct spawn_child *child);

/* Waits for its end: the status is that of wait(). */
bool spawn_wait(const struct spawn_child *child, int *status_out,
	uint64_t *cpu_us_out, struct error *err)
	__attribute__((warn_unused_result));

/* Kills what still runs, reaps it, closes both descriptors. */
void spawn_finish(struct spawn_child *child);

#endif
