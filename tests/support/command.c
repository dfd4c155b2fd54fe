/* SPDX-License-Identifier: MIT */
#include "tests/support/command.h"

#include <check.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int make_memfd(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static char *take(int fd, size_t *len_out)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *data;

	ck_assert_int_ge(len, 0);
	data = malloc((size_t)len + 1);
	ck_assert_ptr_nonnull(data);
	ck_assert_int_eq(pread(fd, data, (size_t)len, 0), len);
	data[len] = '\0';
	*len_out = (size_t)len;
	close(fd);
	return data;
}

static void run_child(const char *const argv[], const char *const env[],
	const char *dir, int out, int errors)
{
	int null = open("/dev/null", O_RDONLY);

	for (size_t i = 0; env && env[i]; i++)
		putenv(strdup(env[i]));
	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
		dup2(errors, 2) < 0 || (dir && chdir(dir) < 0))
		_exit(126);
	/* execvp() takes what it does not change as changeable. */
	execvp(argv[0], (char *const *)(const void *)argv);
	_exit(127);
}

struct command_started command_start(
	const char *const argv[], const char *const env[], const char *dir)
{
	struct command_started started = {
		.out = make_memfd("out"),
		.errors = make_memfd("errors"),
	};

	started.pid = fork();
	ck_assert_int_ge(started.pid, 0);
	if (started.pid == 0)
		run_child(argv, env, dir, started.out, started.errors);
	return started;
}

struct command command_wait(const struct command_started *started)
{
	struct command command = {0};
	int status;

	ck_assert_int_eq(waitpid(started->pid, &status, 0), started->pid);
	command.status = WIFEXITED(status) ? WEXITSTATUS(status)
					   : 128 + WTERMSIG(status);
	command.out = take(started->out, &command.out_len);
	command.errors = take(started->errors, &command.errors_len);
	return command;
}

struct command command_run(
	const char *const argv[], const char *const env[], const char *dir)
{
	const struct command_started started = command_start(argv, env, dir);

	return command_wait(&started);
}

void command_finish(struct command *command)
{
	free(command->out);
	free(command->errors);
	*command = (struct command){0};
}

const char *command_grader(void)
{
	static char path[PATH_MAX];
	const char *grader = getenv("GRADER");

	/* Once known it holds, whichever folder the test goes to. */
	ck_assert_msg(path[0] || (grader && realpath(grader, path)),
		"GRADER does not name the program to test");
	return path;
}
