/* SPDX-License-Identifier: MIT */
#include "tests/support/folder.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void folder_make(struct folder *folder)
{
	snprintf(folder->path, sizeof(folder->path),
		"/tmp/grader-folder-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder->path));
}

static int remove_one(const char *path, const struct stat *info, int type,
	struct FTW *position)
{
	(void)info;
	(void)type;
	(void)position;
	return remove(path);
}

void folder_remove(struct folder *folder)
{
	nftw(folder->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *folder_put(struct folder *folder, const char *name,
	const char *content, mode_t mode)
{
	size_t len = strlen(content);
	int fd;

	snprintf(folder->last, sizeof(folder->last), "%s/%s", folder->path,
		name);
	unlink(folder->last);
	fd = open(folder->last, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, content, len), (ssize_t)len);
	ck_assert_int_eq(close(fd), 0);
	return folder->last;
}

size_t folder_count(const char *path)
{
	DIR *dir = opendir(path);
	size_t count = 0;

	if (!dir)
		return 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		count += strcmp(entry->d_name, ".") != 0 &&
			strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return count;
}
