/* SPDX-License-Identifier: MIT */
#include "grader/engine/cache.h"

#include "base/cleanup.h"
#include "grader/engine/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

static bool read_whole(int fd, char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = read(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static bool write_whole(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

/* What the entry is long, or -1 if it is not to be read. */
static ssize_t entry_len(int fd, size_t max)
{
	struct stat info;

	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
		info.st_uid != geteuid() || info.st_size < HEAD_BYTES ||
		(uint64_t)info.st_size - HEAD_BYTES > max)
		return -1;
	return info.st_size - HEAD_BYTES;
}

static bool read_entry(int fd, const char *key, char *data, size_t len)
{
	char head[HEAD_BYTES], hex[HASH_HEX_BYTES];

	if (!read_whole(fd, head, HEAD_BYTES) || !read_whole(fd, data, len))
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
	ssize_t len = -1;
	char *data;

	if (folder < 0)
		return false;
	fd = openat(folder, key,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0)
		len = entry_len(fd, max);
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

/* Like mkdir -p, each new folder for its owner alone. */
static void make_folder(const char *dir)
{
	char path[PATH_MAX];
	size_t len = strlen(dir);

	if (len == 0 || len >= sizeof(path) || mkdir(dir, 0700) == 0 ||
		errno != ENOENT)
		return;
	memcpy(path, dir, len + 1);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

void cache_put(const char *dir, const char *key, const void *data, size_t len)
{
	CLEANUP(cleanup_close) int folder = -1;
	CLEANUP(cleanup_close) int fd = -1;
	char hex[HASH_HEX_BYTES], temp[64];
	uint64_t number;

	if (!dir)
		return;
	make_folder(dir);
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
	if (!write_whole(fd, hex, HEAD_BYTES) || !write_whole(fd, data, len) ||
		renameat(folder, temp, folder, key) != 0)
		unlinkat(folder, temp, 0);
}
