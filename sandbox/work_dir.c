/* SPDX-License-Identifier: MIT */

/*
 * What lies in the work folder was written by what may be a taken-over
 * compiler.  It can write but the one file that is made for it, and make,
 * remove and rename none: the folder is not its own to write to, and where that
 * is a matter of the mode alone, its filter does not let it change modes.  All
 * the same nothing in there is opened by a path that starts elsewhere, no link
 * is followed, and no file replaced.
 */

#include "sandbox/work_dir.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "sandbox/internal.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	MODE_OPEN = 0700,
	MODE_CLOSED = 0500, /* to whoever is not root */
	MODE_OTHERS_GROUP = 0050,
};

/* A tool cannot make folders: its filter has no call for that. */
static void remove_files(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return;
	}
	rewinddir(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 &&
			strcmp(entry->d_name, "..") != 0)
			unlinkat(fd, entry->d_name, 0);
	closedir(dir);
}

#define PREFIX "grader-jail-"
#define RANDOM "XXXXXX" /* for mkdtemp() */

enum { NUMBER_DIGITS = 8 }; /* our pid, so that no name is like it by chance */

enum { LEFT_BEHIND_S = 60 };

/* Nobody else's folder that happens to begin like one of ours. */
static bool is_work_folder(const char *name)
{
	const char *number = name + strlen(PREFIX);

	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
		strspn(number, "0123456789abcdef") == NUMBER_DIGITS &&
		number[NUMBER_DIGITS] == '-' &&
		strlen(number) == NUMBER_DIGITS + strlen("-" RANDOM);
}

/*
 * Of a grader that was killed.  A living one holds a lock on its folder, which
 * goes with it; only one that has just been made has none yet.
 */
static void remove_if_left_behind(int temp_dir, const char *name)
{
	CLEANUP(cleanup_close)
	int fd = openat(temp_dir, name,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;

	if (fd < 0 || fstat(fd, &info) != 0 || info.st_uid != geteuid() ||
		info.st_mtime > time(NULL) - LEFT_BEHIND_S ||
		flock(fd, LOCK_EX | LOCK_NB) != 0)
		return;
	if (fchmod(fd, MODE_OPEN) == 0)
		remove_files(fd);
	unlinkat(temp_dir, name, AT_REMOVEDIR);
}

static void remove_left_behind(const char *temp_dir)
{
	DIR *dir = opendir(temp_dir);

	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (is_work_folder(entry->d_name))
			remove_if_left_behind(dirfd(dir), entry->d_name);
	closedir(dir);
}

/* The owner stays; the slot's user sees it as its group. */
static bool open_folder(
	const struct slot *slot, struct work_dir *work, struct error *err)
{
	struct stat info;

	work->fd = open(
		work->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (work->fd < 0 || fstat(work->fd, &info) != 0)
		return error_set_errno(err, "cannot open '%s'", work->path);
	/* Between the two somebody may have put another one there. */
	if (info.st_uid != geteuid())
		return error_set(err, ERROR_SYSTEM,
			"'%s' belongs to somebody else: others may remove "
			"what is in that folder",
			work->path);
	/* So that nobody takes it for one that was left behind. */
	flock(work->fd, LOCK_EX | LOCK_NB);
	if (slot->change_ids &&
		(fchown(work->fd, (uid_t)-1, slot->gid) != 0 ||
			fchmod(work->fd, MODE_OPEN | MODE_OTHERS_GROUP) != 0))
		return error_set_errno(err,
			"cannot give '%s' to the compile jail", work->path);
	return true;
}

static bool work_dir_prepare(struct sandbox *sandbox, struct error *err)
{
	const char *temp_dir = sandbox->options->temp_dir;
	struct work_dir *work = &sandbox->work;
	int len = snprintf(work->path, sizeof(work->path),
		"%s/" PREFIX "%0*x-" RANDOM, temp_dir, NUMBER_DIGITS,
		(unsigned int)getpid());

	if (len < 0 || (size_t)len >= sizeof(work->path)) {
		work->path[0] = '\0';
		return error_set(err, ERROR_USAGE,
			"'%s' is too long for a folder", temp_dir);
	}
	remove_left_behind(temp_dir);
	if (!mkdtemp(work->path)) {
		work->path[0] = '\0';
		return error_set_errno(
			err, "cannot make a folder in '%s'", temp_dir);
	}
	return open_folder(&sandbox->tool_slot, work, err);
}

static void work_dir_finish(struct sandbox *sandbox)
{
	struct work_dir *work = &sandbox->work;

	if (work->fd >= 0) {
		remove_files(work->fd);
		close(work->fd);
	}
	if (work->path[0])
		rmdir(work->path);
	*work = (struct work_dir){.fd = -1};
}

const struct sandbox_part sandbox_part_work_dir = {
	.prepare = work_dir_prepare,
	.finish = work_dir_finish,
};

struct work_dir *sandbox_take_work_dir(struct sandbox *sandbox)
{
	assert(!sandbox->work.taken);
	sandbox->work.taken = true;
	return &sandbox->work;
}

void sandbox_return_work_dir(struct work_dir *work)
{
	if (!work)
		return;
	remove_files(work->fd);
	work->taken = false;
}

static int make_output(struct work_dir *work, const struct slot *slot,
	const char *name, struct error *err)
{
	int fd = openat(work->fd, name,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	/* Whatever the umask says: the tool is to write it. */
	if (fd >= 0 && fchmod(fd, 0600) == 0 &&
		(!slot->change_ids || fchown(fd, slot->uid, slot->gid) == 0))
		return fd;
	error_write_errno(err, "cannot make '%s/%s'", work->path, name);
	if (fd >= 0)
		close(fd);
	return -1;
}

bool work_dir_begin(struct work_dir *work, const struct slot *slot,
	const char *output, int *fd_out, struct error *err)
{
	int fd = make_output(work, slot, output, err);

	if (fd < 0)
		return false;
	if (!slot->change_ids && fchmod(work->fd, MODE_CLOSED) != 0) {
		close(fd);
		return error_set_errno(err, "cannot close '%s'", work->path);
	}
	*fd_out = fd;
	return true;
}

bool work_dir_end(
	struct work_dir *work, int fd, uint64_t *bytes_out, struct error *err)
{
	CLEANUP(cleanup_close) int output = fd;
	struct stat folder, info;

	if (fstat(work->fd, &folder) != 0 || fstat(output, &info) != 0 ||
		fchmod(work->fd, MODE_OPEN | (folder.st_mode & 0077)) != 0 ||
		fchown(output, geteuid(), (gid_t)-1) != 0 ||
		fchmod(output, 0444) != 0)
		return error_set_errno(
			err, "cannot take over '%s'", work->path);
	*bytes_out = (uint64_t)info.st_size;
	return true;
}

bool work_dir_put(struct work_dir *work, const char *name, const void *data,
	size_t len, struct error *err)
{
	CLEANUP(cleanup_close)
	int fd = openat(work->fd, name,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);

	if (fd < 0 || !file_write_fd(fd, data, len))
		return error_set_errno(
			err, "cannot write '%s/%s'", work->path, name);
	/* Whatever the umask says: its tools are to read it. */
	if (fchmod(fd, 0444) != 0)
		return error_set_errno(
			err, "cannot make '%s/%s' readable", work->path, name);
	return true;
}

/* -1 with errno set; anything but a plain file there is ENOENT. */
static int open_result(const struct work_dir *work, const char *name,
	size_t max, size_t *len_out)
{
	struct open_how how = {
		.flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	struct stat info;
	int fd = (int)syscall(SYS_openat2, work->fd, name, &how, sizeof(how));

	if (fd < 0)
		return -1;
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
		info.st_nlink != 1 || (uint64_t)info.st_size > max) {
		close(fd);
		errno = ENOENT;
		return -1;
	}
	*len_out = (size_t)info.st_size;
	return fd;
}

/* What opening something that is no plain file of ours can fail with. */
static bool is_absent(int number)
{
	return number == ENOENT || number == ELOOP || number == EXDEV ||
		number == ENXIO || number == ENODEV;
}

bool work_dir_take(struct work_dir *work, const char *name, size_t max,
	struct work_file *file_out, struct error *err)
{
	size_t len = 0;
	CLEANUP(cleanup_close) int fd = open_result(work, name, max, &len);
	char *data;

	if (fd < 0 && !is_absent(errno))
		return error_set_errno(
			err, "cannot open '%s/%s'", work->path, name);
	if (fd < 0) {
		*file_out = (struct work_file){0};
		return true;
	}
	data = malloc(len + 1);
	if (!data)
		return error_set(err, ERROR_SYSTEM, "out of memory");
	if (!file_read_exactly(fd, data, len)) {
		free(data);
		return error_set_errno(
			err, "cannot read '%s/%s'", work->path, name);
	}
	data[len] = '\0';
	*file_out = (struct work_file){true, data, len};
	return true;
}

bool work_dir_has_room(const struct work_dir *work, uint64_t bytes)
{
	struct statvfs info;

	if (fstatvfs(work->fd, &info) != 0)
		return true;
	return info.f_bavail >= bytes / info.f_frsize &&
		(info.f_files == 0 || info.f_favail > 0);
}
