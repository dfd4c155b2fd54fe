/* SPDX-License-Identifier: MIT */
#include "grader/engine/gcc_probe.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum {
	ANSWER_BYTES_MAX = 1 << 18,
	ANSWER_MS_MAX = 20000,
};

static const char *const tool_dirs[] = {
	"/usr/bin", "/usr/local/bin", "/bin", NULL};

/* Reads until the other end is closed; false if that takes too long. */
static bool read_answer(int fd, struct text *answer)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};

	for (;;) {
		char chunk[4096];
		ssize_t n;

		if (poll(&ready, 1, ANSWER_MS_MAX) <= 0)
			return false;
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		if (answer->len < ANSWER_BYTES_MAX)
			text_put(answer, chunk, (size_t)n);
	}
}

static int spawn(char *const *argv, char *const *envp, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = posix_spawn_file_actions_addopen(
		&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(
			&actions, out, STDOUT_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(
			&actions, out, STDERR_FILENO);
	if (!failed)
		failed = posix_spawn(pid, argv[0], &actions, NULL, argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Runs a program of the toolchain and takes all that it prints. */
static bool ask(char *const *argv, char *const *envp, struct text *answer,
	struct error *err)
{
	int ends[2] = {-1, -1};
	bool answered;
	pid_t pid = -1;
	int failed;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set_errno(err, "cannot ask %s", argv[0]);
	failed = spawn(argv, envp, ends[1], &pid);
	close(ends[1]);
	answered = !failed && read_answer(ends[0], answer);
	close(ends[0]);
	if (failed) {
		errno = failed;
		return error_set_errno(err, "cannot run %s", argv[0]);
	}
	if (!answered)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (!answered)
		return error_set(
			err, ERROR_SYSTEM, "%s gave no answer", argv[0]);
	return text_check(answer, err);
}

static bool file_exists(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The canonical path of an existing file. */
static bool resolve(const char *path, char out[static PATH_MAX])
{
	/* A name that broke lines could not be kept in a record. */
	return file_exists(path) && realpath(path, out) && !strchr(out, '\n');
}

/* The rest of the first line that starts with prefix, or NULL. */
static const char *find_line(const char *answer, const char *prefix)
{
	size_t len = strlen(prefix);

	for (const char *line = answer; line;) {
		if (strncmp(line, prefix, len) == 0)
			return line + len;
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

/* Looks for a file in the folders of a list such as "/a/:/b/\n". */
static bool find_in_path(
	const char *list, const char *name, char out[static PATH_MAX])
{
	while (list && *list && *list != '\n') {
		size_t len = strcspn(list, ":\n");
		char path[PATH_MAX];

		if (len > 0 && len < sizeof(path) - strlen(name) - 2) {
			snprintf(path, sizeof(path), "%.*s/%s", (int)len, list,
				name);
			if (resolve(path, out))
				return true;
		}
		list += len;
		list += *list == ':';
	}
	return false;
}

static bool find_tool(
	const char *answer, const char *name, char out[static PATH_MAX])
{
	if (find_in_path(find_line(answer, "COMPILER_PATH="), name, out))
		return true;
	for (size_t i = 0; tool_dirs[i]; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", tool_dirs[i], name);
		if (resolve(path, out))
			return true;
	}
	return false;
}

/* The first word of a command line that gcc would run, if it ends in /cc1. */
static bool find_cc1(const char *answer, char out[static PATH_MAX])
{
	for (const char *line = answer; (line = find_line(line, " "));) {
		size_t start = *line == '"';
		size_t len = strcspn(line + start, start ? "\"\n" : " \n");
		char path[PATH_MAX];

		if (len < 4 || len >= sizeof(path) ||
			memcmp(line + start + len - 4, "/cc1", 4) != 0)
			continue;
		memcpy(path, line + start, len);
		path[len] = '\0';
		if (resolve(path, out))
			return true;
	}
	return find_tool(answer, "cc1", out);
}

/* Where a file is that gcc would link, without the name. */
static bool find_library_dir(
	const char *answer, const char *name, char out[static PATH_MAX])
{
	const char *list = find_line(answer, "LIBRARY_PATH=");

	if (!find_in_path(list, name, out))
		return false;
	*strrchr(out, '/') = '\0';
	return true;
}

bool gcc_read_answer(
	const char *answer, struct gcc_facts *facts, struct error *err)
{
	const char *version = find_line(answer, "gcc version ");
	const char *target = find_line(answer, "Target: ");

	if (!version || !target)
		return error_set(err, ERROR_SYSTEM,
			"what is called gcc here is no gcc: install the "
			"package gcc");
	if (strncmp(target, "x86_64-", 7) != 0)
		return error_set(err, ERROR_SYSTEM,
			"gcc compiles for %.*s, not for x86-64",
			(int)strcspn(target, "\n"), target);
	snprintf(facts->compiler, sizeof(facts->compiler), "gcc %.*s",
		(int)strcspn(version, " \n"), version);
	if (!find_cc1(answer, facts->cc1))
		return error_set(err, ERROR_SYSTEM,
			"gcc has no C compiler (cc1): install the package gcc");
	if (!find_tool(answer, "as", facts->as))
		return error_set(err, ERROR_SYSTEM,
			"there is no assembler (as): install the package "
			"binutils");
	if (!find_tool(answer, "ld", facts->ld))
		return error_set(err, ERROR_SYSTEM,
			"there is no linker (ld): install the package "
			"binutils");
	if (!find_library_dir(answer, "libgcc.a", facts->gcc_dir))
		return error_set(err, ERROR_SYSTEM,
			"gcc has no libgcc.a: install the package gcc");
	if (!find_library_dir(answer, "libc.a", facts->libc_dir))
		facts->libc_dir[0] = '\0';
	return true;
}

/*
 * By the name that the loader asks for: that may be a link, and whoever lets a
 * tool see the file must let it be seen under that name.
 */
static void add_library(struct gcc_facts *facts, const char *path)
{
	if (facts->n_libraries == GCC_LIBRARIES_MAX || path[0] != '/' ||
		strlen(path) >= PATH_MAX || !file_exists(path))
		return;
	for (size_t i = 0; i < facts->n_libraries; i++)
		if (strcmp(facts->libraries[i], path) == 0)
			return;
	memcpy(facts->libraries[facts->n_libraries++], path, strlen(path) + 1);
}

/* Lines such as "\tlibz.so.1 => /lib/libz.so.1 (0x7f...)". */
static void add_libraries(struct gcc_facts *facts, char *answer)
{
	char *rest = answer;

	for (char *line; (line = strsep(&rest, "\n"));) {
		char *path = strchr(line, '/');
		char *end = path ? strstr(path, " (") : NULL;

		if (!end)
			continue;
		*end = '\0';
		add_library(facts, path);
	}
}

static bool find_libraries(
	struct gcc_facts *facts, char *tool, struct error *err)
{
	CLEANUP(cleanup_text) struct text answer = {0};
	/* A static tool is not loaded but run: then it says its version. */
	char *argv[] = {tool, (char[]){"--version"}, NULL};
	char *envp[] = {(char[]){"LC_ALL=C"},
		(char[]){"LD_TRACE_LOADED_OBJECTS=1"}, NULL};

	if (!ask(argv, envp, &answer, err))
		return false;
	if (answer.data)
		add_libraries(facts, answer.data);
	return true;
}

bool gcc_probe(const char *gcc, struct gcc_facts *facts, struct error *err)
{
	CLEANUP(cleanup_text) struct text answer = {0};
	char path[PATH_MAX];
	char *argv[] = {path, (char[]){"-###"}, (char[]){"-x"}, (char[]){"c"},
		(char[]){"-static"}, (char[]){"/dev/null"}, NULL};
	char *envp[] = {(char[]){"LC_ALL=C"}, NULL};

	snprintf(path, sizeof(path), "%s", gcc);
	*facts = (struct gcc_facts){0};
	if (!ask(argv, envp, &answer, err))
		return false;
	if (!gcc_read_answer(answer.data ? answer.data : "", facts, err) ||
		!find_libraries(facts, facts->cc1, err) ||
		!find_libraries(facts, facts->as, err) ||
		!find_libraries(facts, facts->ld, err))
		return false;
	add_library(facts, "/etc/ld.so.cache");
	return true;
}
