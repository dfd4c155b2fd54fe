/* SPDX-License-Identifier: MIT */

/*
 * A work folder belongs to the slot's user, who may be a taken-over compiler:
 * whatever lies in it may be anything.  So nothing in it is opened by a path
 * that starts elsewhere, no link is followed, and no file replaced.
 */

#include "sandbox/work_dir.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "sandbox/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool open_work_dir(
	const struct sandbox *sandbox, struct work_dir *work, struct error *err)
{
	work->fd = open(
		work->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (work->fd < 0)
		return error_set_errno(err, "cannot open '%s'", work->path);
	if (sandbox->change_ids &&
		fchown(work->fd, sandbox->uid, sandbox->gid) != 0)
		return error_set_errno(
			err, "cannot give away '%s'", work->path);
	return true;
}

struct work_dir *sandbox_make_work_dir(
	struct sandbox *sandbox, struct error *err)
{
	struct work_dir *work = malloc(sizeof(*work));
	int len;

	if (!work) {
		error_write(err, ERROR_SYSTEM, "out of memory");
		return NULL;
	}
	*work = (struct work_dir){.fd = -1, .landlock = -1};
	len = snprintf(work->path, sizeof(work->path), "%s/grader-XXXXXX",
		sandbox->temp_dir);
	if (len < 0 || (size_t)len >= sizeof(work->path)) {
		error_write(err, ERROR_USAGE, "'%s' is too long for a folder",
			sandbox->temp_dir);
		free(work);
		return NULL;
	}
	if (!mkdtemp(work->path)) {
		error_write_errno(
			err, "cannot make a folder in '%s'", sandbox->temp_dir);
		free(work);
		return NULL;
	}
	if (!open_work_dir(sandbox, work, err)) {
		sandbox_remove_work_dir(work);
		return NULL;
	}
	return work;
}

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

void sandbox_remove_work_dir(struct work_dir *work)
{
	if (!work)
		return;
	if (work->fd >= 0) {
		remove_files(work->fd);
		close(work->fd);
	}
	rmdir(work->path);
	if (work->landlock >= 0)
		close(work->landlock);
	free(work);
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
		number == ENXIO || number == EACCES || number == ENODEV;
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
