/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/cli/output.h"
#include "grader/cli/workshop.h"
#include "grader/engine/run.h"
#include "grader/engine/source.h"
#include "grader/report/tree.h"
#include "sandbox/sandbox.h"

#include <string.h>

enum {
	CHECKS_MAX = 64,
	STATE_COLUMNS = 10, /* "missing" and blanks behind it */
};

struct check {
	const char *name;
	const char *state;  /* "ok", "missing" or "broken" */
	const char *detail; /* what it is, or what is the matter */
};

struct checks {
	struct arena *arena;
	struct check items[CHECKS_MAX];
	size_t count;
	bool grading;
};

static void add(struct checks *checks, const char *name, const char *state,
	const char *detail)
{
	struct error ignored;
	const char *copy =
		arena_copy(checks->arena, detail, strlen(detail), &ignored);

	if (checks->count < CHECKS_MAX)
		checks->items[checks->count++] =
			(struct check){name, state, copy ? copy : ""};
}

static void add_toolchain(
	struct checks *checks, const struct toolchain *toolchain)
{
	add(checks, "compiler", "ok", toolchain->compiler);
	add(checks, "assembler", "ok", toolchain->as);
	add(checks, "linker", "ok", toolchain->ld);
	add(checks, "C library", "ok", toolchain->libc_name);
	if (toolchain->libc != LIBC_MUSL)
		add(checks, "musl", "missing",
			"linking is slower and results may differ between "
			"processors; the package is musl-tools");
}

static void add_layers(struct checks *checks, const struct sandbox *sandbox)
{
	static const char *const states[] = {
		[LAYER_OK] = "ok",
		[LAYER_MISSING] = "missing",
		[LAYER_BROKEN] = "broken",
	};
	size_t count;
	const struct layer *layers = sandbox_layers(sandbox, &count);

	for (size_t i = 0; i < count; i++)
		add(checks, layers[i].name, states[layers[i].state],
			layers[i].reason);
}

static void add_cache(
	struct checks *checks, const struct invocation *invocation)
{
	const char *reason = NULL;
	const char *folder = workshop_find_cache(invocation, &reason);

	add(checks, "cache", folder ? "ok" : "missing",
		folder ? folder : reason);
}

/* A function to be graded: small, and yet it goes the whole way. */
static const struct parameter parameter = {
	.name = "x", .type = TYPE_INT, .says = "a number"};
static const struct function function = {
	.name = "twice",
	.parameters = &parameter,
	.n_parameters = 1,
	.returns = true,
	.return_type = TYPE_INT,
	.return_says = "twice the number",
};
static const char header[] = "int twice(int x);\n";
static const char source[] = "int twice(int x)\n{\n\treturn 2 * x;\n}\n";
static const struct exercise_limits limits = {
	.cpu_case_ms = 1000,
	.cpu_total_ms = 2000,
	.memory_bytes = 64 << 20,
	.stack_bytes = 8 << 20,
	.output_bytes = 1 << 20,
};

static bool build(struct invocation *invocation, struct tools *tools,
	struct build *build_out, struct error *err)
{
	struct tools uncached = *tools;
	struct text shim = {0};
	struct build_request request = {
		.kind = BUILD_LEARNER,
		.source_name = "twice.c",
		.source = source,
		.source_len = strlen(source),
		.header_name = "twice.h",
		.header = header,
		.header_len = strlen(header),
		.functions = &function,
		.n_functions = 1,
	};
	bool good;

	/* What the cache has would say nothing about the compiler. */
	uncached.cache_dir = NULL;
	source_put_shim(&shim, &function, 1);
	request.shim = shim.data;
	request.shim_len = shim.len;
	good = text_check(&shim, err) &&
		compile_program(
			&uncached, &request, invocation->arena, build_out, err);
	text_finish(&shim);
	if (good && !build_out->ok)
		return error_set(err, ERROR_SYSTEM,
			"a small program does not compile: %.200s",
			build_out->n_diagnostics
				? build_out->diagnostics[0].message
				: "the compiler does not say why");
	return good;
}

static bool run(struct invocation *invocation, struct tools *tools,
	const struct program *program, struct error *err)
{
	const struct value argument = {.number = 21};
	const struct call call = {
		.function = &function, .arguments = &argument, .repeat = 1};
	struct run_outcome outcome;
	const struct value *result;

	if (!run_calls(tools, &(struct run_job){program, &limits, &call, 1},
		    invocation->arena, &outcome, err))
		return false;
	if (outcome.results[0].state != CALL_RETURNED)
		return error_set(err, ERROR_SYSTEM,
			"a small program does not return from its call");
	result = &outcome.results[0].outputs[1];
	if (!result->data || *(const int *)result->data != 42)
		return error_set(err, ERROR_SYSTEM,
			"a small program returns something wrong");
	return true;
}

static bool try_grading(
	struct invocation *invocation, struct tools *tools, struct error *err)
{
	struct build built;
	bool good;

	if (!build(invocation, tools, &built, err))
		return false;
	good = run(invocation, tools, &built.program, err);
	program_finish(&built.program);
	return good;
}

/* Whatever is missing, the rest is examined all the same. */
static void examine(struct invocation *invocation, struct checks *checks)
{
	struct tools tools = {.cancel = -1};
	struct sandbox_options options = {
		.temp_dir = invocation->environment.temp_dir,
	};
	struct error no_tools = {0}, no_jails = {0}, err = {0};
	bool found = toolchain_find(
		NULL, invocation->arena, &tools.toolchain, &no_tools);

	if (found)
		add_toolchain(checks, &tools.toolchain);
	else
		add(checks, "compiler", "missing", no_tools.message);
	options.tool_reads = tools.toolchain.reads;
	tools.sandbox = sandbox_create(&options, &no_jails);
	if (tools.sandbox)
		add_layers(checks, tools.sandbox);
	else
		add(checks, "sandbox", "broken", no_jails.message);
	add_cache(checks, invocation);
	checks->grading =
		found && tools.sandbox && try_grading(invocation, &tools, &err);
	if (checks->grading)
		add(checks, "grading", "ok",
			"a small program was compiled and run");
	else
		add(checks, "grading", "missing",
			found && tools.sandbox ? err.message : "see above");
	sandbox_destroy(tools.sandbox);
}

static void put_text(struct text *out, const struct style *style,
	const struct checks *checks)
{
	size_t names = 0;

	for (size_t i = 0; i < checks->count; i++) {
		size_t columns = strlen(checks->items[i].name) + 2;

		if (columns > names)
			names = columns;
	}
	for (size_t i = 0; i < checks->count; i++) {
		const struct check *check = &checks->items[i];
		size_t start = out->len;

		style_put_words(out, style, check->name);
		style_pad(out, start, names);
		style_begin(out, style,
			strcmp(check->state, "ok") == 0 ? PAINT_GREEN
							: PAINT_YELLOW);
		text_puts(out, check->state);
		style_end(out, style);
		if (check->detail[0]) {
			style_pad(out, start, names + STATE_COLUMNS);
			style_put_words(out, style, check->detail);
		}
		text_putc(out, '\n');
	}
}

static bool put_json(
	struct text *out, const struct checks *checks, struct error *err)
{
	struct tree tree;
	cJSON *list;
	bool good;

	if (!tree_start(&tree, err))
		return false;
	tree_bool(&tree, tree.root, "grading", checks->grading);
	list = tree_array(&tree, tree.root, "checks");
	for (size_t i = 0; i < checks->count; i++) {
		cJSON *item = tree_object(&tree, list, NULL);

		tree_string(&tree, item, "name", checks->items[i].name);
		tree_string(&tree, item, "state", checks->items[i].state);
		tree_string(&tree, item, "detail", checks->items[i].detail);
	}
	good = tree_write(&tree, true, out, err);
	tree_finish(&tree);
	return good;
}

bool command_doctor(struct invocation *invocation, struct error *err)
{
	struct checks checks = {.arena = invocation->arena};
	struct text out = {0};
	bool good = true;

	examine(invocation, &checks);
	if (invocation->options.json)
		good = put_json(&out, &checks, err);
	else
		put_text(&out, &invocation->style, &checks);
	good = good && output_write(&out, err);
	text_finish(&out);
	if (good && !checks.grading)
		invocation->status = STATUS_SYSTEM;
	return good;
}
