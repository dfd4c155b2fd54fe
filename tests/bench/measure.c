/* SPDX-License-Identifier: MIT */
#include "tests/bench/measure.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void bench_fail(const char *fmt, ...)
{
	va_list args;

	fputs("bench: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double timeval_us(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

static _Noreturn void become(const char *const argv[])
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		_exit(126);
	/* exec changes no argument; its prototype is older than const. */
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

struct cost measure_command(const char *const argv[], int wanted_status)
{
	struct rusage usage;
	struct cost cost;
	double start = now_us();
	pid_t child = fork();
	int status;

	if (child == 0)
		become(argv);
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		bench_fail("cannot run %s", argv[0]);
	cost.wall = now_us() - start;
	cost.cpu = timeval_us(usage.ru_utime) + timeval_us(usage.ru_stime);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted_status)
		bench_fail("%s %s ended with wait status 0x%x, not with %d",
			argv[0], argv[1] ? argv[1] : "", (unsigned)status,
			wanted_status);
	return cost;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

struct spread spread_of(double *values, size_t count)
{
	struct spread spread;

	qsort(values, count, sizeof(*values), compare_doubles);
	spread.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
	spread.low = values[count / 4];
	spread.high = values[count - 1 - count / 4];
	return spread;
}

void write_file(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	if (!file)
		bench_fail("cannot write %s", path);
	fputs(text, file);
	if (fclose(file) != 0)
		bench_fail("cannot write %s", path);
}
