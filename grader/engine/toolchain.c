/* SPDX-License-Identifier: MIT */
#include "grader/engine/toolchain.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "grader/engine/cache.h"
#include "grader/engine/gcc_probe.h"
#include "grader/engine/hash.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	LIST_MAX = 64,
	RECORD_BYTES_MAX = 1 << 16,
	ARCHIVE_BYTES_MAX = 64 << 20,
	HEADER_BYTES_MAX = 1 << 20,
};

const char *const toolchain_flags[] = {"-std=gnu17", "-g1",
	"-fno-omit-frame-pointer", "-fstack-protector-strong",
	"-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", NULL};

static const char *const default_gccs[] = {
	"/usr/bin/gcc", "/usr/local/bin/gcc", NULL};

static const struct toolchain_places default_places = {
	.gccs = default_gccs,
	.musl_include = "/usr/include/x86_64-linux-musl",
	.musl_lib = "/usr/lib/x86_64-linux-musl",
};

/*
 * A toolchain is put together, kept and read back as a record: lines of a key
 * and a value.  Keys that stand for a list come as often as it is long.
 */
enum key {
	KEY_COMPILER,
	KEY_CC1,
	KEY_AS,
	KEY_LD,
	KEY_LIBC,
	KEY_LIBC_NAME,
	KEY_LIBC_DIR,
	KEY_GCC_DIR,
	KEY_INCLUDE,
	KEY_FLAG,
	KEY_START,
	KEY_LIBRARY,
	KEY_END,
	KEY_READS,
	KEY_STAMP, /* inode, size and time of a file, then its path */
	N_KEYS,
};

static const char *const key_names[N_KEYS] = {
	[KEY_COMPILER] = "compiler",
	[KEY_CC1] = "cc1",
	[KEY_AS] = "as",
	[KEY_LD] = "ld",
	[KEY_LIBC] = "libc",
	[KEY_LIBC_NAME] = "libc-name",
	[KEY_LIBC_DIR] = "libc-dir",
	[KEY_GCC_DIR] = "gcc-dir",
	[KEY_INCLUDE] = "include",
	[KEY_FLAG] = "flag",
	[KEY_START] = "start",
	[KEY_LIBRARY] = "library",
	[KEY_END] = "end",
	[KEY_READS] = "reads",
	[KEY_STAMP] = "stamp",
};

static bool file_exists(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool folder_exists(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void put(struct text *record, enum key key, const char *value)
{
	text_printf(record, "%s %s\n", key_names[key], value);
}

static void put_path(
	struct text *record, enum key key, const char *dir, const char *name)
{
	text_printf(record, "%s %s/%s\n", key_names[key], dir, name);
}

/* What changes when a file is replaced; false if there is none. */
static bool write_stamp(const char *path, char out[static PATH_MAX + 96])
{
	struct stat info;

	if (stat(path, &info) != 0)
		return false;
	snprintf(out, PATH_MAX + 96, "%llu %lld %lld.%09ld %s",
		(unsigned long long)info.st_ino, (long long)info.st_size,
		(long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec, path);
	return true;
}

static void put_stamp(struct text *record, const char *path)
{
	char stamp[PATH_MAX + 96];

	if (write_stamp(path, stamp))
		put(record, KEY_STAMP, stamp);
}

/* libc.a of musl has an object that holds the version and little else. */
static void find_musl_version(const char *archive, char *out, size_t size)
{
	static const char member[] = "version.lo/";
	CLEANUP(cleanup_free) char *data = NULL;
	struct error ignored;
	const char *at;
	size_t len;

	snprintf(out, size, "musl");
	if (!file_read(archive, ARCHIVE_BYTES_MAX, &data, &len, &ignored))
		return;
	at = memmem(data, len, member, sizeof(member) - 1);
	if (!at)
		return;
	for (const char *end = data + len; end - at > 16; at++) {
		size_t digits = strspn(at, "0123456789.");

		if (digits >= 5 && digits < 12 && at[1] == '.' &&
			at[digits] == '\0' && at[-1] == '\0') {
			snprintf(out, size, "musl %s", at);
			return;
		}
	}
}

static int number_of_macro(const char *header, const char *name)
{
	const char *at = strstr(header, name);
	int number = 0;

	if (!at || sscanf(at + strlen(name), "%d", &number) != 1) // NOLINT
		return 0;
	return number;
}

static void find_glibc_version(const char *header, char *out, size_t size)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error ignored;
	size_t len;

	snprintf(out, size, "glibc (static)");
	if (file_read(header, HEADER_BYTES_MAX, &data, &len, &ignored))
		snprintf(out, size, "glibc %d.%d (static)",
			number_of_macro(data, "define\t__GLIBC__\t"),
			number_of_macro(data, "define\t__GLIBC_MINOR__\t"));
}

static bool put_musl(struct text *record, const struct toolchain_places *places,
	const struct gcc_facts *gcc)
{
	char libc[PATH_MAX + 16], version[64];

	snprintf(libc, sizeof(libc), "%s/libc.a", places->musl_lib);
	if (!file_exists(libc) || !folder_exists(places->musl_include))
		return false;
	find_musl_version(libc, version, sizeof(version));
	put(record, KEY_LIBC, "musl");
	put(record, KEY_LIBC_NAME, version);
	put(record, KEY_LIBC_DIR, places->musl_lib);
	put(record, KEY_INCLUDE, places->musl_include);
	put_path(record, KEY_INCLUDE, gcc->gcc_dir, "include");
	put(record, KEY_LIBRARY, libc);
	put_path(record, KEY_LIBRARY, gcc->gcc_dir, "libgcc.a");
	put_stamp(record, libc);
	return true;
}

/* glibc's libm.a may be a script that names the archives. */
static void put_libm(struct text *record, const char *libc_dir)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error ignored;
	char path[PATH_MAX + 16];
	char *rest;
	size_t len;

	snprintf(path, sizeof(path), "%s/libm.a", libc_dir);
	if (!file_read(path, ARCHIVE_BYTES_MAX, &data, &len, &ignored))
		return;
	if (len >= 7 && memcmp(data, "!<arch>", 7) == 0) {
		put(record, KEY_LIBRARY, path);
		return;
	}
	rest = data;
	for (char *word; (word = strsep(&rest, " \t\n()"));)
		if (word[0] == '/' && word[1] != '*' && file_exists(word))
			put(record, KEY_LIBRARY, word);
}

/* The kernel's headers may be links to files that lie elsewhere. */
static void put_kernel_headers(struct text *record)
{
	static const char *const headers[] = {
		"/usr/include/x86_64-linux-gnu/asm/errno.h",
		"/usr/include/asm-generic/errno.h",
		"/usr/include/linux/errno.h"};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		char path[PATH_MAX];

		if (!realpath(headers[i], path) ||
			strncmp(path, "/usr/include/", 13) == 0)
			continue;
		*strrchr(path, '/') = '\0';
		put(record, KEY_READS, path);
	}
}

static bool put_glibc(struct text *record, const struct gcc_facts *gcc)
{
	static const char *const includes[] = {
		"/usr/include/x86_64-linux-gnu", "/usr/include"};
	char libc[PATH_MAX + 16], version[64];

	snprintf(libc, sizeof(libc), "%s/libc.a", gcc->libc_dir);
	if (!*gcc->libc_dir || !file_exists(libc) ||
		!file_exists("/usr/include/stdio.h"))
		return false;
	find_glibc_version("/usr/include/features.h", version, sizeof(version));
	put(record, KEY_LIBC, "glibc");
	put(record, KEY_LIBC_NAME, version);
	put(record, KEY_LIBC_DIR, gcc->libc_dir);
	put_path(record, KEY_INCLUDE, gcc->gcc_dir, "include");
	for (size_t i = 0; i < sizeof(includes) / sizeof(*includes); i++)
		if (folder_exists(includes[i]))
			put(record, KEY_INCLUDE, includes[i]);
	put_kernel_headers(record);
	put_path(record, KEY_START, gcc->libc_dir, "crti.o");
	put_libm(record, gcc->libc_dir);
	put(record, KEY_LIBRARY, libc);
	put_path(record, KEY_LIBRARY, gcc->gcc_dir, "libgcc.a");
	put_path(record, KEY_LIBRARY, gcc->gcc_dir, "libgcc_eh.a");
	put_path(record, KEY_END, gcc->libc_dir, "crtn.o");
	put_stamp(record, libc);
	return true;
}

/*
 * What gcc 14 made an error and what was a warning before (a function called
 * undeclared, a pointer to another type) stays a warning: a grade shall not
 * depend on which of the two a machine has.
 */
static void put_flags(struct text *record, const char *compiler)
{
	if (strtoul(compiler + strcspn(compiler, "0123456789"), NULL, 10) >= 14)
		put(record, KEY_FLAG, "-fpermissive");
}

/* Asks gcc.  False with err set when something is missing. */
static bool make_record(const struct toolchain_places *places, const char *gcc,
	struct text *record, struct error *err)
{
	struct gcc_facts *facts = calloc(1, sizeof(*facts));
	bool good = false;

	if (!facts)
		return error_set(err, ERROR_SYSTEM, "not enough memory");
	if (!gcc_probe(gcc, facts, err))
		goto out;
	put(record, KEY_COMPILER, facts->compiler);
	put_flags(record, facts->compiler);
	put(record, KEY_CC1, facts->cc1);
	put(record, KEY_AS, facts->as);
	put(record, KEY_LD, facts->ld);
	put(record, KEY_GCC_DIR, facts->gcc_dir);
	if (!put_musl(record, places, facts) && !put_glibc(record, facts)) {
		error_write(err, ERROR_SYSTEM,
			"there is no C library to build with: install the "
			"package musl-dev (or, for static glibc, libc6-dev)");
		goto out;
	}
	for (size_t i = 0; i < facts->n_libraries; i++)
		put(record, KEY_READS, facts->libraries[i]);
	put_stamp(record, gcc);
	put_stamp(record, facts->cc1);
	put_stamp(record, facts->as);
	put_stamp(record, facts->ld);
	for (size_t i = 0; i < facts->n_libraries; i++)
		put_stamp(record, facts->libraries[i]);
	good = text_check(record, err);
out:
	free(facts);
	return good;
}

/* The value if the line is of that key, else NULL. */
static const char *value_of(const char *line, enum key key)
{
	size_t len = strlen(key_names[key]);

	if (strncmp(line, key_names[key], len) != 0 || line[len] != ' ')
		return NULL;
	return line + len + 1;
}

static const char *find_value(const char *const *lines, enum key key)
{
	for (; *lines; lines++) {
		const char *value = value_of(*lines, key);

		if (value)
			return value;
	}
	return NULL;
}

/* Adds the values of a key to a list that has room for all lines. */
static void add_values(const char **list, size_t *count,
	const char *const *lines, enum key key)
{
	for (; *lines; lines++) {
		const char *value = value_of(*lines, key);

		if (value)
			list[(*count)++] = value;
	}
}

static const char *const *list_values(const char *const *lines, enum key key,
	struct arena *arena, struct error *err)
{
	const char **list;
	size_t count = 0;

	list = arena_alloc(arena, LIST_MAX, sizeof(*list), err);
	if (list)
		add_values(list, &count, lines, key);
	return list;
}

static const char *const *list_reads(
	const char *const *lines, struct arena *arena, struct error *err)
{
	static const enum key keys[] = {KEY_CC1, KEY_AS, KEY_LD, KEY_INCLUDE,
		KEY_START, KEY_LIBRARY, KEY_END, KEY_READS};
	const char **list;
	size_t count = 0;

	list = arena_alloc(arena, LIST_MAX, sizeof(*list), err);
	for (size_t i = 0; list && i < sizeof(keys) / sizeof(*keys); i++)
		add_values(list, &count, lines, keys[i]);
	return list;
}

/* Lines of the arena's, NULL at the end; NULL if there are too many. */
static const char *const *split_lines(
	const char *record, size_t len, struct arena *arena, struct error *err)
{
	char *rest = arena_copy(arena, record, len, err);
	const char **lines = arena_alloc(arena, LIST_MAX, sizeof(*lines), err);
	size_t count = 0;

	if (!rest || !lines)
		return NULL;
	for (char *line; (line = strsep(&rest, "\n"));) {
		if (!*line)
			continue;
		if (count == LIST_MAX - 1) {
			error_write(err, ERROR_SYSTEM,
				"the compiler needs more files than expected");
			return NULL;
		}
		lines[count++] = line;
	}
	return lines;
}

static const char *join_flags(
	const char *const *more, struct arena *arena, struct error *err)
{
	CLEANUP(cleanup_text) struct text text = {0};

	for (const char *const *flag = toolchain_flags; *flag; flag++)
		text_printf(&text, "%s%s%s", flag == toolchain_flags ? "" : " ",
			*flag, flag == toolchain_flags ? " -O1" : "");
	for (; *more; more++)
		text_printf(&text, " %s", *more);
	if (!text_check(&text, err))
		return NULL;
	return arena_copy(arena, text.data, text.len, err);
}

static const char *identify(
	const char *record, size_t len, struct arena *arena, struct error *err)
{
	char hex[HASH_HEX_BYTES];
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, "grader/toolchain/3");
	hash_add(&hash, record, len);
	hash_hex(&hash, hex);
	return arena_copy(arena, hex, strlen(hex), err);
}

static bool read_record(const char *record, size_t len, struct arena *arena,
	struct toolchain *out, struct error *err)
{
	const char *const *lines = split_lines(record, len, arena, err);
	const char *const *flags;
	const char *libc;
	struct toolchain found;

	if (!lines)
		return false;
	flags = list_values(lines, KEY_FLAG, arena, err);
	if (!flags)
		return false;
	libc = find_value(lines, KEY_LIBC);
	found = (struct toolchain){
		.compiler = find_value(lines, KEY_COMPILER),
		.identity = identify(record, len, arena, err),
		.cc1 = find_value(lines, KEY_CC1),
		.as = find_value(lines, KEY_AS),
		.ld = find_value(lines, KEY_LD),
		.libc = libc && strcmp(libc, "musl") == 0 ? LIBC_MUSL
							  : LIBC_GLIBC,
		.libc_name = find_value(lines, KEY_LIBC_NAME),
		.include_dirs = list_values(lines, KEY_INCLUDE, arena, err),
		.libc_dir = find_value(lines, KEY_LIBC_DIR),
		.gcc_dir = find_value(lines, KEY_GCC_DIR),
		.own_flags = flags,
		.flags = join_flags(flags, arena, err),
		.start_files = list_values(lines, KEY_START, arena, err),
		.libraries = list_values(lines, KEY_LIBRARY, arena, err),
		.end_files = list_values(lines, KEY_END, arena, err),
		.reads = list_reads(lines, arena, err),
	};
	if (!found.identity || !found.include_dirs || !found.flags ||
		!found.start_files || !found.libraries || !found.end_files ||
		!found.reads)
		return false;
	if (!found.compiler || !found.cc1 || !found.as || !found.ld ||
		!found.libc_name || !found.libc_dir || !found.gcc_dir)
		return error_set(err, ERROR_SYSTEM,
			"what gcc says of itself is incomplete");
	*out = found;
	return true;
}

/* Whether every file is still the one that the record was made of. */
static bool record_holds(const char *record)
{
	size_t n_stamps = 0;

	for (const char *line = record; *line;) {
		const char *end = strchrnul(line, '\n');
		const char *stamp = value_of(line, KEY_STAMP);
		char path[PATH_MAX], now[PATH_MAX + 96];
		size_t len = stamp ? (size_t)(end - stamp) : 0;

		line = *end ? end + 1 : end;
		if (!stamp)
			continue;
		/* The path is what follows the numbers. */
		if (len >= sizeof(now) ||
			sscanf(stamp, "%*u %*d %*[0-9.] %4095[^\n]", path) !=
				1 ||
			!write_stamp(path, now) || strlen(now) != len ||
			memcmp(stamp, now, len) != 0)
			return false;
		n_stamps++;
	}
	return n_stamps > 0;
}

static bool record_key(const struct toolchain_places *places, const char *gcc,
	char key[static HASH_HEX_BYTES])
{
	char stamp[PATH_MAX + 96], musl[PATH_MAX + 16];
	struct hash hash;

	if (!write_stamp(gcc, stamp))
		return false;
	hash_init(&hash);
	hash_add_string(&hash, "grader/toolchain/3");
	hash_add_string(&hash, stamp);
	hash_add_string(&hash, places->musl_include);
	hash_add_string(&hash, places->musl_lib);
	/* An answer without musl holds until there is one. */
	snprintf(musl, sizeof(musl), "%s/libc.a", places->musl_lib);
	hash_add_string(&hash, write_stamp(musl, stamp) ? stamp : "");
	hash_hex(&hash, key);
	return true;
}

static bool from_cache(const char *cache_dir, const char *key,
	struct arena *arena, struct toolchain *out)
{
	CLEANUP(cleanup_free) char *record = NULL;
	struct error ignored;
	size_t len;

	if (!cache_get(cache_dir, key, RECORD_BYTES_MAX, &record, &len))
		return false;
	return record_holds(record) &&
		read_record(record, len, arena, out, &ignored);
}

bool toolchain_find_in(const struct toolchain_places *places,
	const char *cache_dir, struct arena *arena, struct toolchain *out,
	struct error *err)
{
	CLEANUP(cleanup_text) struct text record = {0};
	const char *const *gcc = places->gccs;
	char key[HASH_HEX_BYTES];

	while (*gcc && !file_exists(*gcc))
		gcc++;
	if (!*gcc || !record_key(places, *gcc, key))
		return error_set(err, ERROR_SYSTEM,
			"there is no gcc in /usr/bin or /usr/local/bin: "
			"install the package gcc");
	if (from_cache(cache_dir, key, arena, out))
		return true;
	if (!make_record(places, *gcc, &record, err) ||
		!read_record(record.data, record.len, arena, out, err))
		return false;
	cache_put(cache_dir, key, record.data, record.len);
	return true;
}

bool toolchain_find(const char *cache_dir, struct arena *arena,
	struct toolchain *out, struct error *err)
{
	return toolchain_find_in(&default_places, cache_dir, arena, out, err);
}
