/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_PROTOCOL_H
#define SANDBOX_PROTOCOL_H

/*
 * What the grader and the runner inside a submission's process agree on.
 *
 * Descriptor 3, the plan: read-only for the child, sealed.  It holds a struct
 * plan, then the slots, the calls, their arguments and the packed inputs.
 * Descriptor 4, the outputs: shared, writable.  It holds a struct progress, a
 * struct call_record for each call, the packed outputs, and the pages of the
 * slots.  Both layouts are drawn up by the grader; the runner follows them.
 *
 * Nothing that the child leaves in its memory is to be believed but the bytes
 * of the packed outputs, and those only after its death: progress, records and
 * crash report decide how a failure is worded, never how it is scored.
 *
 * This header is included by freestanding code: no libc here.
 */

#include <stdint.h>

enum {
	FD_NULL = 0,
	FD_STDOUT = 1,
	FD_STDERR = 2,
	FD_PLAN = 3,
	FD_OUTPUTS = 4,
	FD_PROGRAM = 10, /* closed by exec */
	FD_SOCKET = 11,  /* closed by exec; carries the listener out */
};

#define PLAN_MAGIC 0x316e616c70646772u /* "grdplan1" */

/* The number of the system call that reports a crash; no kernel has it. */
#define CRASH_REPORT_CALL 9001

/* What the runner hands to exit_group() once all calls are done. */
#define RUNNER_EXIT_CODE 0

/* Slots are mapped from here on; a static program has nothing there. */
#define SLOTS_BASE 0x100000000000u
#define GUARD_BYTES_MIN 0x10000u

/*
 * Where memory that was never set comes from.  It is filled with signalling
 * NaNs that carry the origin: an element never written still has the pattern,
 * one computed from such a value has the quiet bit set and names the origin.
 */
enum fill_origin {
	FILL_OUTPUT = 1,
	FILL_STACK = 2,
	FILL_HEAP = 3,
	FILL_LOCAL = 4,   /* by shim_checked.h and poison.h alone */
	FILL_BEFORE = 16, /* + the parameter: the padding before an array */
};

#define FILL_QUIET_BIT 0x0008000000000000u

/* The nonce, drawn for each run, has 32 bits; origin is below 256. */
#define FILL_DOUBLE(origin, nonce)                                             \
	(0x7ff0000000000000u | (uint64_t)(origin) << 32 |                      \
		((uint64_t)(nonce)&0xffffffffu))
/* The same for float, the nonce cut to 14 bits. */
#define FILL_FLOAT(origin, nonce)                                              \
	(0x7f800000u | (uint32_t)(origin) << 14 | ((uint32_t)(nonce)&0x3fffu))
/* bool, char and the integers: a byte that is neither false nor true. */
#define FILL_BYTE 0xa5u

#define STACK_PAINT_BYTES 16384u
#define BEFORE_PAINT_BYTES 512u

struct plan {
	uint64_t magic;
	uint64_t bytes;         /* of descriptor 3 */
	uint64_t outputs_bytes; /* of descriptor 4 */
	uint32_t n_slots;
	uint32_t n_calls;
	uint64_t slots_at; /* offsets in descriptor 3 */
	uint64_t calls_at;
	uint64_t arguments_at;
	uint64_t records_at; /* offset in descriptor 4: call_record[n_calls] */
	uint32_t nonce;
	uint32_t n_arguments;
};

/*
 * Where the arrays of one parameter live, one call after the other, each flush
 * against the end, which is followed by an inaccessible guard; before the
 * first page lies one, too.  All sizes are whole pages.
 */
struct plan_slot {
	uint64_t address;          /* what the learner's function is given */
	uint64_t writable_address; /* inputs: the runner's view; else = address
				    */
	uint64_t bytes;
	uint64_t offset; /* of its pages in descriptor 4 */
	uint32_t writable;
	uint32_t reserved;
};

struct plan_call {
	uint32_t function;
	uint32_t first_argument;
	uint32_t n_arguments;  /* the function's parameters, then its result */
	uint32_t keep_outputs; /* a repeat: outputs stay as the last call left
				  them, and are not filled */
};

enum argument_kind {
	ARGUMENT_SCALAR, /* value: its bits */
	ARGUMENT_NULL,   /* an array that is not given */
	ARGUMENT_INPUT,  /* value: offset in descriptor 3 of the packed bytes */
	ARGUMENT_OUTPUT, /* value: offset in descriptor 4 of the packed bytes */
	ARGUMENT_RESULT, /* the same, 8 bytes: what the function returned */
};

struct plan_argument {
	uint32_t kind;
	uint32_t slot; /* of INPUT and OUTPUT */
	uint64_t value;
	uint64_t bytes;   /* of INPUT and OUTPUT */
	uint64_t pattern; /* OUTPUT, before the call; INPUT: for the padding */
};

/* One 8-byte cell per argument, as the shim takes them. */
union runner_value {
	uint64_t bits;
	void *pointer;
	double number;
	float real;
	uint8_t byte;
};

/* What a shim that checks has to say of a crash, in words of its own. */
#define CRASH_NOTES 6

/* The first page of descriptor 4. */
struct crash_report {
	int32_t signal; /* 0: none was made */
	int32_t code;   /* si_code */
	uint64_t address;
	uint64_t pc;
	uint64_t sp;
	uint64_t stack_top;
	uint64_t fault_bits; /* of the page fault: bit 1 set means a write */
	uint64_t n_frames;
	uint64_t frames[16]; /* return addresses, the innermost first */
	uint64_t notes[CRASH_NOTES];
};

struct progress {
	/* Written by the grader before the start. */
	uint64_t first; /* the first call to make */
	uint64_t end;   /* one past the last */
	/* Written by the runner. */
	uint64_t current; /* calls begun, counted from first: 0 before any */
	uint64_t done;    /* calls ended */
	struct crash_report crash;
};

struct call_record {
	uint64_t
		text_end; /* bytes on standard output when the call had ended */
	uint64_t ticks;   /* of the processor's counter, while it ran */
};

#endif
