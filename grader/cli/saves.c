/* SPDX-License-Identifier: MIT */
#include "grader/cli/saves.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static const char *find_folder(const char *file, char folder[PATH_MAX])
{
	const char *slash = strrchr(file, '/');
	int len = slash ? (int)(slash - file) : 0;

	if (!slash)
		return ".";
	snprintf(folder, PATH_MAX, "%.*s", len ? len : 1, file);
	return folder;
}

/* The folder may have been removed, and be back. */
static void watch_folder(struct saves *saves)
{
	char folder[PATH_MAX];

	if (saves->inotify >= 0 && !saves->watched)
		saves->watched =
			inotify_add_watch(saves->inotify,
				find_folder(saves->file, folder),
				IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
					IN_CREATE | IN_DELETE | IN_ATTRIB |
					IN_ONLYDIR) >= 0;
}

static void drain(struct saves *saves)
{
	_Alignas(struct inotify_event) char events[4096];
	ssize_t len;

	while ((len = read(saves->inotify, events, sizeof(events))) > 0) {
		for (ssize_t at = 0; at < len;) {
			const struct inotify_event *event =
				(const void *)(events + at);

			if (event->mask & IN_IGNORED)
				saves->watched = false;
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	}
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
		a->st_size == b->st_size && a->st_mode == b->st_mode &&
		same_time(&a->st_mtim, &b->st_mtim) &&
		same_time(&a->st_ctim, &b->st_ctim);
}

void saves_init(struct saves *saves, const char *file)
{
	*saves = (struct saves){
		.file = file,
		.inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC),
	};
	watch_folder(saves);
	(void)saves_check(saves);
}

void saves_finish(struct saves *saves)
{
	if (saves->inotify >= 0)
		close(saves->inotify);
	saves->inotify = -1;
}

bool saves_check(struct saves *saves)
{
	struct stat now = {0};
	bool present, changed;

	if (saves->inotify >= 0)
		drain(saves);
	watch_folder(saves);
	present = lstat(saves->file, &now) == 0;
	changed = present != saves->present ||
		(present && !same_file(&now, &saves->last));
	saves->present = present;
	saves->last = now;
	return changed;
}
