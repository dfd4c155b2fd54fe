/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_COMPILE_H
#define GRADER_ENGINE_COMPILE_H

/*
 * Makes a program of C source, each tool in the compile jail.
 *
 *   exercise -> cases -> [compile] -> run -> compare -> diagnose -> grade
 *
 * Source that does not compile is not an error of ours: build.ok is false, and
 * the diagnostics say why.
 */

#include "grader/engine/function.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;
struct poison;
struct tools;

enum severity {
	SEVERITY_ERROR,
	SEVERITY_WARNING,
	SEVERITY_NOTE,
};

/* All text is raw bytes of the compiler or the learner: escape to show. */
struct diagnostic {
	enum severity severity;
	int line;   /* from 1, in the learner's own file; 0: none */
	int column; /* from 1, in bytes; 0: none */
	const char *message;
	const char *option; /* "-Wunused-variable" or NULL */
	const char *source; /* that line of the learner's file, or NULL */
	size_t source_len;
};

/*
 * A linked program that runs in the run jail, a sealed memfd.  The addresses
 * come from its own symbol table, to word a crash with, for instance.
 */
struct program {
	int fd;                 /* -1: none */
	uint64_t runner_exit;   /* grader_exit_return */
	uint64_t learner_start; /* text that is the learner's own */
	uint64_t learner_end;
	uint64_t guard_start; /* __stack_chk_fail(), or 0 */
	uint64_t guard_end;
};

void program_finish(struct program *program);

struct build {
	bool ok;
	struct program program; /* the caller's to finish */
	/* Our own sentences first ("parameter 5, Q: expected const double
	   Q[Tq][d], found without const"), then the compiler's. */
	struct diagnostic *diagnostics;
	size_t n_diagnostics;
	bool diagnostics_cut;
	bool cached;
	const struct poison *poison; /* BUILD_CHECKED: its sites; else NULL */
};

enum build_kind {
	BUILD_LEARNER,  /* -O1, for a submission */
	BUILD_EXERCISE, /* -O2, for the exercise's own C */
	/* -O0, for a submission that failed: stops at what it does wrong with
	   memory.  Its shim is from source_put_checked_shim. */
	BUILD_CHECKED,
};

struct build_request {
	enum build_kind kind;
	const char *source_name; /* in messages: "solve.c" */
	const char *source;
	size_t source_len;
	const char *header_name; /* "solve.h" or "exercise.h" */
	const char *header;      /* -include'd */
	size_t header_len;
	const char *shim; /* C, from source_put_shim */
	size_t shim_len;
	const struct function *functions; /* that the shim calls */
	size_t n_functions;
};

/*
 * From the cache (if there is one) come shim objects and, for BUILD_EXERCISE,
 * whole programs, by content, flags and toolchain; an entry that is damaged is
 * built anew.  The learner's own text is one section of the program, made by
 * its link script; learner_start and learner_end are its bounds.
 */
bool compile_program(const struct tools *tools,
	const struct build_request *request, struct arena *arena,
	struct build *build_out, struct error *err)
	__attribute__((warn_unused_result));

/*
 * The line of the request's source that the instruction at pc was made of, or
 * 0 where that is not known: it is not the learner's code, or the source gives
 * its lines other numbers (#line).  Of a return address ask for pc - 1, which
 * is in the call.
 */
int compile_find_line(const struct program *program,
	const struct build_request *request, uint64_t pc);

#endif
