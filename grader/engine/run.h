/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_RUN_H
#define GRADER_ENGINE_RUN_H

/*
 * Calls functions of a program in the run jail, as many processes as it takes.
 *
 *   exercise -> cases -> compile -> [run] -> compare -> diagnose -> grade
 *
 * The one service that later stages may ask for more runs:
 * run_calls(program, calls) -> outputs.
 */

#include "grader/engine/compile.h"
#include "grader/engine/exercise.h"
#include "grader/engine/function.h"
#include "sandbox/sandbox.h"

struct arena;
struct error;
struct tools;

struct call {
	const struct function *function;
	uint32_t function_index;       /* the shim's number for it */
	const struct value *arguments; /* per parameter; output data unused */
	size_t repeat;  /* 1, or how often in a row; the outputs of a repeat are
			   what the call before left there */
	bool finite;    /* outputs hold numbers before it (fill_finite), in
			   place of NaNs that tell of themselves */
	uint32_t batch; /* calls of one batch, which stand together, share
			   processes; no process sees calls of two batches */
};

enum call_state {
	CALL_RETURNED, /* outputs are to be compared */
	CALL_ENDED,    /* the process ended during it: see ended */
	CALL_NOT_RUN,  /* the CPU limit for all was used up before it */
};

/* An access that a guard caught: which array, and where in it. */
struct access {
	bool known;
	bool write;
	size_t parameter;
	bool to_input;   /* a write inside an input array */
	int64_t element; /* from 0; negative: before the array */
};

struct call_result {
	enum call_state state;
	/* RETURNED: per parameter, and the result last; data NULL for inputs.
	   With repeats, those of the first call ... */
	struct value *outputs;
	/* ... and of each repeat that did not give the same bytes. */
	struct value **others;
	size_t n_others;
	struct run_result ended; /* ENDED */
	struct access access;    /* ENDED by a fault in or near an array */
	struct access noted;     /* where ended.notes[3] is, as an address */
	const char *text;        /* what it printed, at most TEXT_SHOWN bytes */
	size_t text_len;
	bool text_cut;
	uint64_t cpu_us;
};

enum { TEXT_SHOWN = 4096 };

struct run_outcome {
	struct call_result *results; /* as many as calls */
	uint32_t nonce;              /* for fill_origin_of() */
	size_t n_processes;
	uint64_t cpu_us;
	uint64_t memory_peak_kib; /* 0: unknown */
};

/* Which calls of which program, within which limits. */
struct run_job {
	const struct program *program;
	const struct exercise_limits *limits;
	const struct call *calls;
	size_t count;
};

/* Errors are ours alone (ERROR_SYSTEM). */
bool run_calls(const struct tools *tools, const struct run_job *job,
	struct arena *arena, struct run_outcome *outcome_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
