/* SPDX-License-Identifier: MIT */
#include "grader/engine/compile_tool.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"

#include <signal.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define CPU_MS ((uint64_t)10000)
#define CHECKED_CPU_MS ((uint64_t)1000) /* it is for words alone */

enum {
	ASSEMBLY_BYTES_MAX = 64 << 20,
	MEMORY_MIB = 1024,
	OUTPUT_KIB = 1024,
};

static const struct {
	const char *name;
	const char *word; /* for people */
	uint64_t file_bytes;
	uint64_t room_bytes;
	enum diagnostic_tool reader;
} kinds[] = {
	/* cc1 leaves the file that had no room; the others take it away. */
	[TOOL_CC1] = {"cc1", "compiler", ASSEMBLY_BYTES_MAX, MIB,
		DIAGNOSTIC_COMPILER},
	[TOOL_AS] = {"as", "assembler", PROGRAM_BYTES_MAX, PROGRAM_BYTES_MAX,
		DIAGNOSTIC_ASSEMBLER},
	[TOOL_LD] = {"ld", "linker", PROGRAM_BYTES_MAX, PROGRAM_BYTES_MAX,
		DIAGNOSTIC_LINKER},
};

void arguments_add(struct arguments *arguments, const char *argument)
{
	struct builder *builder = arguments->builder;
	char *copy;

	if (arguments->failed)
		return;
	copy = arena_copy(
		builder->arena, argument, strlen(argument), builder->err);
	arguments->failed = !copy;
	if (copy && arguments->count == TOOL_ARGUMENTS_MAX) {
		error_write(builder->err, ERROR_SYSTEM,
			"a tool needs too many arguments");
		arguments->failed = true;
	}
	if (!arguments->failed)
		arguments->argv[arguments->count++] = copy;
}

void arguments_add_list(struct arguments *arguments, const char *const *list)
{
	for (; *list; list++)
		arguments_add(arguments, *list);
}

bool builder_say(struct builder *builder, const struct text *sentence)
{
	return text_check(sentence, builder->err) &&
		diagnostics_add(&builder->list, SEVERITY_ERROR, 0,
			sentence->data, builder->err);
}

static bool says(const struct tool_result *result, const char *words)
{
	return memmem(result->diagnostics, result->diagnostics_len, words,
		       strlen(words)) != NULL;
}

static bool used_up_memory(const struct tool_result *result)
{
	return says(result, "out of memory allocating") ||
		says(result, "memory exhausted");
}

enum { INTERNAL_ERROR_STATUS = 4 }; /* of cc1, which caught its own crash */

/*
 * gcc calls itself for every bracket that is open, until its stack is used up.
 * It may have caught the signal, and says then what it was.
 */
static void describe_crash(enum tool_kind kind,
	const struct tool_result *result, struct text *sentence)
{
	bool stack = result->end == TOOL_SIGNALED
		? result->status == SIGSEGV || result->status == SIGBUS
		: says(result, "Segmentation fault");

	text_printf(sentence, "the %s crashed on this file", kinds[kind].word);
	if (kind == TOOL_CC1 && stack)
		text_puts(sentence,
			": something in it is nested too deeply, or too long "
			"(parentheses, blocks, operators?)");
}

/* In plain words what ended it, or nothing where it ended by itself. */
static void describe_end(enum tool_kind kind, const struct tool_result *result,
	struct text *sentence)
{
	const char *word = kinds[kind].word;

	if (result->end == TOOL_CPU_LIMIT || result->end == TOOL_WALL_LIMIT)
		text_printf(sentence,
			"the %s needed more than %d s for this file", word,
			(int)(CPU_MS / 1000));
	else if (result->end == TOOL_FILE_LIMIT)
		text_printf(sentence,
			"what the %s makes of this file is larger than %d MiB",
			word, (int)(kinds[kind].file_bytes / MIB));
	else if (result->end == TOOL_OUTPUT_LIMIT)
		text_printf(sentence,
			"the %s had more than %d KiB to say about this file",
			word, OUTPUT_KIB);
	else if (result->end == TOOL_REFUSED)
		text_printf(sentence,
			"the %s was stopped: at this file it asked for "
			"something that no compiler needs",
			word);
	else if (used_up_memory(result))
		text_printf(sentence,
			"the %s used more memory than %d MiB for this file",
			word, MEMORY_MIB);
	else if (result->end != TOOL_EXITED ||
		result->status == INTERNAL_ERROR_STATUS)
		describe_crash(kind, result, sentence);
}

static bool has_error(const struct diagnostic_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].severity == SEVERITY_ERROR)
			return true;
	return false;
}

/* Makes diagnostics of how a tool ended and what it said. */
static bool read_result(struct builder *builder, enum tool_kind kind,
	const struct tool_result *result, bool good)
{
	CLEANUP(cleanup_text) struct text sentence = {0};

	builder->cut |= result->diagnostics_cut;
	/* What as and ld have to say of what they took is not for learners. */
	if (good && kind != TOOL_CC1)
		return true;
	if (!diagnostics_parse(&builder->list, kinds[kind].reader,
		    result->diagnostics, result->diagnostics_len, !good,
		    builder->err))
		return false;
	if (good)
		return true;
	describe_end(kind, result, &sentence);
	if (!sentence.data && !has_error(&builder->list))
		text_printf(&sentence,
			"the %s failed on this file, and does not say why",
			kinds[kind].word);
	return !sentence.data || builder_say(builder, &sentence);
}

bool builder_run(struct builder *builder, enum tool_kind kind,
	struct work_dir *work, const char *output, struct arguments *arguments,
	bool *good_out)
{
	const char *const paths[] = {
		[TOOL_CC1] = builder->toolchain->cc1,
		[TOOL_AS] = builder->toolchain->as,
		[TOOL_LD] = builder->toolchain->ld,
	};
	const bool checked = builder->request->kind == BUILD_CHECKED;
	const uint64_t cpu_ms = checked ? CHECKED_CPU_MS : CPU_MS;
	const struct tool tool = {
		.path = paths[kind],
		.argv = arguments->argv,
		.work = work,
		.output = output,
		.limits =
			{
				.cpu_ms = cpu_ms,
				.wall_ms = 6 * cpu_ms,
				.memory_bytes = MEMORY_MIB * MIB,
				.file_bytes = kinds[kind].file_bytes,
				.diagnostic_bytes = 64 << 10,
				.output_bytes = OUTPUT_KIB << 10,
				.room_bytes = kinds[kind].room_bytes,
			},
		.cancel = builder->tools->cancel,
	};
	struct tool_result result;
	bool good, read;

	if (arguments->failed ||
		!sandbox_run_tool(
			builder->tools->sandbox, &tool, &result, builder->err))
		return false;
	good = result.end == TOOL_EXITED && result.status == 0;
	/* Nothing that it can open blocks: it was kept from running. */
	if (result.end == TOOL_WALL_LIMIT && result.cpu_us < cpu_ms * 500) {
		tool_result_finish(&result);
		return error_set(builder->err, ERROR_SYSTEM,
			"the %s got no time on a processor: the machine is "
			"overloaded",
			kinds[kind].word);
	}
	/* One that says it succeeded and has written nothing was taken over. */
	if (good && result.output_bytes == 0) {
		result.end = TOOL_SIGNALED;
		good = false;
	}
	read = read_result(builder, kind, &result, good);
	tool_result_finish(&result);
	if (!read)
		return false;
	*good_out = good;
	return true;
}
