/* SPDX-License-Identifier: MIT */

/*
 * The run jail from start to reap, all layers, around a program that makes no
 * calls, against fork and exec of a static program that does nothing.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/compile.h"
#include "grader/engine/exercise.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"
#include "sandbox/protocol.h"
#include "sandbox/sandbox.h"
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, RUNS_PER_PAIR = 10 };

/* The shim and the header are those of the exercise of one case. */
static struct program build_program(const struct bench *bench,
	const struct tools *tools, struct arena *arena)
{
	struct error err = {0};
	struct exercise exercise;
	struct text header = {0}, shim = {0};
	struct build build;
	struct build_request request = {.kind = BUILD_EXERCISE,
		.source_name = "solution.c",
		.header_name = "solve.h"};
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s/one", bench->dir);
	if (!exercise_load(folder, arena, &exercise, &err))
		bench_fail("%s", err.message);
	source_put_header(&header, &exercise);
	source_put_shim(&shim, exercise.functions, exercise.n_functions);
	if (!text_check(&header, &err) || !text_check(&shim, &err))
		bench_fail("%s", err.message);
	request.source = exercise.solution.data;
	request.source_len = exercise.solution.len;
	request.header = header.data;
	request.header_len = header.len;
	request.shim = shim.data;
	request.shim_len = shim.len;
	request.functions = exercise.functions;
	request.n_functions = exercise.n_functions;
	if (!compile_program(tools, &request, arena, &build, &err))
		bench_fail("%s", err.message);
	if (!build.ok)
		bench_fail("the tiny solution does not compile");
	text_finish(&header);
	text_finish(&shim);
	return build.program;
}

static int make_memfd(const char *name, const void *data, size_t len)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, PAGE) != 0 ||
		pwrite(fd, data, len, 0) != (ssize_t)len)
		bench_fail("cannot make a memfd");
	return fd;
}

/* A plan without slots and calls. */
static void fill_request(
	struct run_request *request, const struct program *program)
{
	struct plan plan = {.magic = PLAN_MAGIC,
		.bytes = PAGE,
		.outputs_bytes = PAGE,
		.slots_at = sizeof(plan),
		.calls_at = sizeof(plan),
		.arguments_at = sizeof(plan),
		.records_at = sizeof(struct progress)};

	*request = (struct run_request){.program = program->fd,
		.runner_exit = program->runner_exit,
		.limits = {.cpu_call_ms = 1000,
			.cpu_total_ms = 10000,
			.memory_bytes = 64 << 20,
			.stack_bytes = 8 << 20,
			.text_bytes = 1 << 20},
		.cancel = -1};
	request->plan = make_memfd("plan", &plan, sizeof(plan));
	if (fcntl(request->plan, F_ADD_SEALS,
		    F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) !=
		0)
		bench_fail("cannot seal a memfd");
	request->outputs = make_memfd("outputs", "", 0);
	request->text = memfd_create("text", MFD_CLOEXEC);
	if (request->text < 0 || fcntl(request->text, F_SETFL, O_APPEND) != 0)
		bench_fail("cannot make a memfd");
	request->progress = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		request->outputs, 0);
	if (request->progress == MAP_FAILED)
		bench_fail("cannot map a memfd");
}

static double run_jailed(
	struct sandbox *sandbox, const struct run_request *request)
{
	struct error err = {0};
	struct run_result result;
	double start = now_us();

	memset(request->progress, 0, sizeof(*request->progress));
	if (!sandbox_run_program(sandbox, request, &result, &err))
		bench_fail("%s", err.message);
	if (result.end != RUN_FINISHED)
		bench_fail("the empty run ended otherwise: %d, signal %d",
			(int)result.end, result.signal);
	return now_us() - start;
}

/* The static program is the C library's own cheapest. */
static void build_bare(const struct bench *bench, char *path, size_t size)
{
	char source[PATH_MAX];
	const char *const compile[] = {
		"gcc", "-O2", "-static", source, "-o", path, NULL};

	snprintf(source, sizeof(source), "%s/bare.c", bench->dir);
	snprintf(path, size, "%s/bare", bench->dir);
	write_file(bench->dir, "bare.c", "int main(void) { return 0; }\n");
	measure_command(compile, 0);
}

void bench_jail(const struct bench *bench, struct row *rows)
{
	struct error err = {0};
	char bare[PATH_MAX];
	const char *const bare_argv[] = {bare, NULL};
	size_t count = bench->pairs * RUNS_PER_PAIR;
	double *jailed = calloc(count * 2, sizeof(*jailed));
	double *plain = jailed + count;
	struct arena *arena = arena_create(&err);
	struct tools tools = {.cancel = -1};
	struct sandbox_options options = {.temp_dir = bench->dir};
	struct sandbox *sandbox;
	struct program program;
	struct run_request request;

	if (!jailed || !arena ||
		!toolchain_find(NULL, arena, &tools.toolchain, &err))
		bench_fail("%s", err.message);
	options.tool_reads = tools.toolchain.reads;
	sandbox = sandbox_create(&options, &err);
	if (!sandbox)
		bench_fail("%s", err.message);
	tools.sandbox = sandbox;
	build_bare(bench, bare, sizeof(bare));
	program = build_program(bench, &tools, arena);
	fill_request(&request, &program);
	run_jailed(sandbox, &request);
	measure_command(bare_argv, 0);
	for (size_t i = 0; i < count; i++) {
		jailed[i] = run_jailed(sandbox, &request);
		plain[i] = measure_command(bare_argv, 0).wall;
	}
	rows[0] = (struct row){.name = "run jail, start to reap, wall",
		.unit = "ms",
		.base_name = "fork and exec, static glibc",
		.bar = 1.0};
	row_compare(&rows[0], jailed, plain, count, 1e3);
	munmap(request.progress, PAGE);
	close(request.plan);
	close(request.outputs);
	close(request.text);
	program_finish(&program);
	arena_destroy(arena);
	sandbox_destroy(sandbox);
	free(jailed);
}
