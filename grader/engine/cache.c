/* SPDX-License-Identifier: MIT */
#include "grader/engine/cache.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "grader/engine/hash.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

/* An entry is the hash of its key and content, in hex, then the content. */
enum { HEAD_BYTES = HASH_HEX_BYTES - 1 };

static void hash_entry(const char *key, const void *data, size_t len,
	char out[static HASH_HEX_BYTES])
{
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, "grader/cache/1");
	hash_add_string(&hash, key);
	hash_add(&hash, data, len);
	hash_hex(&hash, out);
}

/*
 * What comes from the cache is run as the exercise's own code, so a folder
 * that somebody else could write to is as good as none.
 */
static int open_folder(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return -1;
	if (fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
		(info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* What the entry is long, or -1 if it is not to be read. */
static ssize_t entry_len(const struct stat *info, size_t max)
{
	if (info->st_uid != geteuid() || info->st_size < HEAD_BYTES ||
		(uint64_t)info->st_size - HEAD_BYTES > max)
		return -1;
	return info->st_size - HEAD_BYTES;
}

static bool read_entry(int fd, const char *key, char *data, size_t len)
{
	char head[HEAD_BYTES], hex[HASH_HEX_BYTES];

	if (!file_read_exactly(fd, head, HEAD_BYTES) ||
		!file_read_exactly(fd, data, len))
		return false;
	data[len] = '\0';
	hash_entry(key, data, len, hex);
	return memcmp(head, hex, HEAD_BYTES) == 0;
}

bool cache_get(const char *dir, const char *key, size_t max, char **data_out,
	size_t *len_out)
{
	CLEANUP(cleanup_close) int folder = dir ? open_folder(dir) : -1;
	CLEANUP(cleanup_close) int fd = -1;
	struct stat info;
	ssize_t len = -1;
	char *data;

	if (folder < 0)
		return false;
	fd = file_open_regular(folder, key, &info);
	if (fd >= 0)
		len = entry_len(&info, max);
	if (len < 0)
		return false;
	data = malloc((size_t)len + 1);
	if (!data)
		return false;
	if (!read_entry(fd, key, data, (size_t)len)) {
		free(data);
		return false;
	}
	*data_out = data;
	*len_out = (size_t)len;
	return true;
}

void cache_put(const char *dir, const char *key, const void *data, size_t len)
{
	CLEANUP(cleanup_close) int folder = -1;
	CLEANUP(cleanup_close) int fd = -1;
	char hex[HASH_HEX_BYTES], temp[64];
	uint64_t number;

	if (!dir || !file_make_folders(dir))
		return;
	folder = open_folder(dir);
	if (folder < 0 ||
		getrandom(&number, sizeof(number), GRND_NONBLOCK) !=
			(ssize_t)sizeof(number))
		return;
	snprintf(temp, sizeof(temp), "new-%016llx", (unsigned long long)number);
	fd = openat(folder, temp,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	hash_entry(key, data, len, hex);
	if (!file_write_fd(fd, hex, HEAD_BYTES) ||
		!file_write_fd(fd, data, len) ||
		renameat(folder, temp, folder, key) != 0)
		unlinkat(folder, temp, 0);
}
