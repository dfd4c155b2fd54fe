/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_DIAGNOSTICS_H
#define GRADER_ENGINE_DIAGNOSTICS_H

/*
 * Makes diagnostics of what cc1, as and ld print.
 *
 * That text is the learner's as much as the compiler's: a submission can make
 * it say anything.  So it is shown, never believed: a line number counts only
 * if it is one of the learner's own file, and the source beside it comes from
 * the submission's bytes.
 */

#include "grader/engine/compile.h"

struct arena;
struct error;

enum { DIAGNOSTICS_MAX = 100 };

struct source_file {
	const char *name; /* as the tools know it */
	const char *data;
	size_t len;
	/* A #line gives other numbers to its lines: then none is told. */
	bool renumbered;
};

struct diagnostic_list {
	struct source_file source;
	struct arena *arena;      /* owns all text and the items */
	struct diagnostic *items; /* DIAGNOSTICS_MAX of them */
	size_t count;
	size_t n_own; /* our own sentences, which come first */
	bool cut;     /* there was more */
};

enum diagnostic_tool {
	DIAGNOSTIC_COMPILER,
	DIAGNOSTIC_ASSEMBLER,
	DIAGNOSTIC_LINKER,
};

struct source_file source_file_of(
	const char *name, const char *data, size_t len);

bool source_file_has_line(const struct source_file *source, int line);

bool diagnostic_list_init(struct diagnostic_list *list,
	const struct source_file *source, struct arena *arena,
	struct error *err) __attribute__((warn_unused_result));

/*
 * Adds all that the text holds, in its order, the linker's beside our own.
 * Where the tool succeeded (failed is false), nothing in it can be an error:
 * what says so is a note.
 */
bool diagnostics_parse(struct diagnostic_list *list, enum diagnostic_tool tool,
	const char *text, size_t len, bool failed, struct error *err)
	__attribute__((warn_unused_result));

/* Adds a sentence of ours behind those there already; line 0 for none. */
bool diagnostics_add(struct diagnostic_list *list, enum severity severity,
	int line, const char *message, struct error *err)
	__attribute__((warn_unused_result));

/* The first of the compiler's whose message starts like this, or NULL. */
const struct diagnostic *diagnostics_find(
	const struct diagnostic_list *list, const char *start);

/* Makes a note of it: ours says the same in fewer words. */
void diagnostics_demote(struct diagnostic_list *list, const char *start);

#endif
