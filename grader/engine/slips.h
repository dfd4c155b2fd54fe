/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SLIPS_H
#define GRADER_ENGINE_SLIPS_H

/*
 * Which slips with memory a submission makes that did not pass: which array or
 * variable, which element, on which line.
 *
 *   exercise -> cases -> compile -> run -> compare -> [slips] -> grade
 *
 * It is compiled once more (BUILD_CHECKED) and run on some of its public cases,
 * those that failed first.  Hidden ones are never run so.  What comes of it is
 * words: facts for a report, worded in grader/report/slips.h.  A program that
 * lies here has lied to its own author.
 */

#include "grader/engine/compile.h"
#include "grader/engine/places.h"
#include "grader/engine/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct case_grade;
struct error;
struct exercise;
struct tools;

enum slip_kind {
	SLIP_ACCESS,    /* outside of an array that it was given, or it wrote to
			   an input: see access */
	SLIP_INDEX,     /* an index outside of an array: axis, element, size */
	SLIP_UNSET,     /* computed with memory that was never set: memory */
	SLIP_BLOCK,     /* outside of a block of malloc()'s: element, size */
	SLIP_FREED,     /* in a block that was freed */
	SLIP_FREE,      /* freed what cannot be: free */
	SLIP_DIVISION,  /* whole numbers: left by right */
	SLIP_POINTER,   /* a pointer that was never set, NULL, or wild */
	SLIP_FRAME,     /* past the end of a local array */
	SLIP_UNWRITTEN, /* elements of an output: n_elements, element the first
			 */
	SLIP_KEPT,      /* a variable lives on from call to call */
};

enum slip_memory {
	MEMORY_VARIABLE, /* a local one, or an element of one */
	MEMORY_BLOCK,
	MEMORY_OUTPUT,
	MEMORY_OTHER,
};

enum slip_pointer {
	POINTER_UNSET,
	POINTER_NULL,
	POINTER_WILD,
	POINTER_MISALIGNED, /* of a type that stands at multiples of 16 */
};

enum slip_free {
	FREE_TWICE,
	FREE_MIDDLE,
	FREE_PARAMETER,
	FREE_FOREIGN,
};

enum { SLIPS_MAX = 3, SLIP_NAME_BYTES = 64 };

struct slip {
	enum slip_kind kind;
	size_t case_number; /* index of the case in which it was seen */
	int line;           /* of the learner's file; 0: not known */
	int column;         /* 0: not known */
	/* A variable of the learner's, letters, digits and underscores; "": not
	   known, or a parameter is meant. */
	char name[SLIP_NAME_BYTES];
	char bound[PLACES_BOUND_BYTES]; /* "scores[n + 1]", as the array is
					   declared; printable ASCII; or "" */
	int name_line;    /* where it is declared, or its block asked for */
	size_t parameter; /* PLACES_NONE: none */
	struct access access;
	size_t axis;      /* of an index */
	bool index_unset; /* the index itself was: name is the index's */
	int64_t element;
	bool element_known;
	uint64_t size; /* elements, 0: not known */
	size_t n_elements;
	size_t unit_bytes; /* of a block's element and size: 8, or 1 */
	int freed_line;    /* 0: not known */
	bool late; /* it showed later than it was done, when it was freed */
	bool write;
	bool adds; /* "output[i][j] +=" stands on that line */
	enum slip_memory memory;
	enum slip_pointer pointer;
	enum slip_free free;
	int64_t left;
	int64_t right;
};

struct slips {
	struct slip *items; /* no two alike */
	size_t count;
	bool renumbered; /* a #line is in the way of saying lines */
};

struct slips_request {
	const struct exercise *exercise;
	const struct build_request *build; /* of the graded build */
	const struct case_grade *cases;
	size_t n_cases;
};

/* A submission of which no such build can be made has no slips. */
bool slips_find(const struct slips_request *request, const struct tools *tools,
	struct arena *arena, struct slips *out, struct error *err)
	__attribute__((warn_unused_result));

#endif
