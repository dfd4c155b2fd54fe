/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_COMPILE_TOOL_H
#define GRADER_ENGINE_COMPILE_TOOL_H

/*
 * One tool of the compiler, run in its jail: what it is given, and what becomes
 * of its end and of what it says.  Part of compile.
 */

#include "grader/engine/compile.h"
#include "grader/engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;
struct poison;
struct text;
struct toolchain;
struct tools;
struct work_dir;

enum {
	SOURCE_NAME_MAX = 64,
	TOOL_ARGUMENTS_MAX = 96,
	PROGRAM_BYTES_MAX = 32 << 20,
	CHECKED_BYTES_MAX = 4 << 20, /* assembly of BUILD_CHECKED */
};

enum tool_kind {
	TOOL_CC1,
	TOOL_AS,
	TOOL_LD,
};

/* What all steps of a build need. */
struct builder {
	const struct tools *tools;
	const struct toolchain *toolchain;
	const struct build_request *request;
	struct arena *arena;
	struct error *err;
	char source_name[SOURCE_NAME_MAX];
	struct diagnostic_list list;
	bool cut;
	struct poison *poison; /* of BUILD_CHECKED, to be filled in */
};

struct arguments {
	struct builder *builder;
	char *argv[TOOL_ARGUMENTS_MAX + 1];
	size_t count;
	bool failed; /* too many, or no memory: err says which */
};

/* Copies them; the list ends with NULL. */
void arguments_add(struct arguments *arguments, const char *argument);
void arguments_add_list(struct arguments *arguments, const char *const *list);

/* A sentence of ours; plain ASCII without anything of the submission. */
bool builder_say(struct builder *builder, const struct text *sentence)
	__attribute__((warn_unused_result));

/*
 * *good_out is whether it did its work; if not, the list has an error that says
 * why, as far as it can be told.
 */
bool builder_run(struct builder *builder, enum tool_kind kind,
	struct work_dir *work, const char *output, struct arguments *arguments,
	bool *good_out) __attribute__((warn_unused_result));

#endif
