/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

/*
 * The jails.
 *
 * A compile jail runs one tool of the compiler over files in a fresh folder; a
 * run jail runs one program over a plan (sandbox/protocol.h).  Both return how
 * it ended, as facts; verdicts and sentences are the caller's.  An error means
 * that we could not run it, never that it ran badly.
 *
 * General pattern of use:
 *
 *   sandbox_create()            once: probes the layers, builds the filters
 *   sandbox_run_tool()          cc1, as, ld, one after the other
 *   sandbox_run_program()       for each process that is needed
 *   sandbox_destroy()
 *
 * A sandbox belongs to one thread: the one that created it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct error;
struct progress;
struct sandbox;

/* Layers ---------------------------------------------------------------- */

enum layer_state {
	LAYER_OK,
	LAYER_MISSING, /* grading goes on without it, and says so */
	LAYER_BROKEN,  /* grading is refused without it */
};

struct layer {
	const char *name; /* "seccomp", "landlock", "separate uid" ... */
	bool required;    /* refuse to run without it */
	enum layer_state state;
	char reason[128]; /* "" when ok: "kernel answers ENOSYS" ... */
};

struct sandbox_options {
	const char *temp_dir; /* where the work folder is made: $TMPDIR ... */
	/* Files and folders that the tools read besides their work folder, by
	   absolute paths, NULL at the end.  NULL: none. */
	const char *const *tool_reads;
	/* Names of layers to do without, NULL at the end, to see what the
	   others hold alone.  Only what may be missing can be left out.
	   NULL: none. */
	const char *const *without;
};

/*
 * Where a layer is broken this still succeeds, so that the layers can be shown:
 * it is the jails that refuse.  SIGCHLD must not be ignored.
 */
struct sandbox *sandbox_create(const struct sandbox_options *options,
	struct error *err) __attribute__((warn_unused_result));
void sandbox_destroy(struct sandbox *sandbox);

/* Valid as long as the sandbox. */
const struct layer *sandbox_layers(
	const struct sandbox *sandbox, size_t *count_out);

/* Compile jail ---------------------------------------------------------- */

/* The compile jail's folder, readable by its tools alone: each build takes it
   empty, and one build at a time. */
struct work_dir;

struct work_dir *sandbox_take_work_dir(struct sandbox *sandbox);
/* Empties it; takes NULL. */
void sandbox_return_work_dir(struct work_dir *work);

/* Puts a file there: name has no slash.  Never follows or replaces one. */
bool work_dir_put(struct work_dir *work, const char *name, const void *data,
	size_t len, struct error *err) __attribute__((warn_unused_result));

struct work_file {
	bool found; /* false: all else is 0 */
	char *data; /* the caller's to free; with a NUL that len leaves out */
	size_t len;
};

/*
 * Takes a file that a tool left there, when all tools are dead: a regular file
 * with one link and at most max bytes, no link followed.  None such is no
 * error.
 */
bool work_dir_take(struct work_dir *work, const char *name, size_t max,
	struct work_file *file_out, struct error *err)
	__attribute__((warn_unused_result));

struct tool_limits {
	uint64_t cpu_ms; /* in whole seconds, rounded up */
	uint64_t wall_ms;
	uint64_t memory_bytes;     /* address space */
	uint64_t file_bytes;       /* what it writes, on disk */
	uint64_t diagnostic_bytes; /* of its output that are kept */
	uint64_t output_bytes;     /* of output, before it is stopped */
	/* When it fails and the work folder's disk has less than this left,
	   the failure is ours, not that of what it was given. */
	uint64_t room_bytes;
};

struct tool {
	const char *path; /* of cc1, as or ld: absolute */
	char *const *argv;
	struct work_dir *work; /* it starts there */
	/* The one file that it may write, in the work folder: it is there and
	   empty when the tool starts, and cannot be removed. */
	const char *output;
	struct tool_limits limits;
	int cancel; /* kill and return an error once it is readable; or -1 */
};

enum tool_end {
	TOOL_EXITED,
	TOOL_SIGNALED,
	TOOL_CPU_LIMIT,
	TOOL_WALL_LIMIT,
	TOOL_FILE_LIMIT,
	TOOL_OUTPUT_LIMIT,
	TOOL_REFUSED, /* it made a call that compilers have no need of */
};

struct tool_result {
	enum tool_end end;
	int status;        /* exit status, or the signal */
	char *diagnostics; /* stdout and stderr, and a NUL; free with
			      tool_result_finish */
	size_t diagnostics_len;
	bool diagnostics_cut;
	uint64_t output_bytes; /* how much is in its output now */
	uint64_t cpu_us;
};

/*
 * An error when the tool could not be started, was killed by nobody we know,
 * or failed on a full disk.
 */
bool sandbox_run_tool(struct sandbox *sandbox, const struct tool *tool,
	struct tool_result *result_out, struct error *err)
	__attribute__((warn_unused_result));
void tool_result_finish(struct tool_result *result);

/* Run jail -------------------------------------------------------------- */

struct run_limits {
	uint64_t cpu_call_ms;  /* one call */
	uint64_t cpu_total_ms; /* one process */
	uint64_t memory_bytes; /* what the program may map or grow beyond its
				  own image and the plan */
	uint64_t stack_bytes;
	uint64_t text_bytes; /* what it may print */
};

struct run_request {
	int program; /* sealed memfd of a static executable */
	int plan;    /* sealed memfd */
	int outputs; /* memfd; both laid out as sandbox/protocol.h says */
	int text;    /* memfd that collects stdout and stderr, O_APPEND */
	struct progress *progress; /* the caller's mapping of its first page */
	uint64_t runner_exit; /* address behind the runner's own exit call */
	struct run_limits limits;
	int cancel; /* kill and return an error once it is readable; or -1 */
	uint64_t deadline_ms; /* wall time in all, our own patience; 0: none */
};

enum run_end {
	RUN_FINISHED,   /* the runner said so itself, from its own address */
	RUN_EXITED,     /* the program called exit() or _exit() */
	RUN_SIGNALED,   /* died of a signal: see crash */
	RUN_ABORTED,    /* abort() */
	RUN_VIOLATION,  /* a refused system call */
	RUN_CPU_CALL,   /* one call took too long */
	RUN_CPU_TOTAL,  /* all together did */
	RUN_TEXT_LIMIT, /* it printed too much */
	RUN_MEMORY,     /* the kernel killed it for the memory it used */
	RUN_KILLED,     /* SIGKILL that nobody here sent: our fault */
	RUN_STARVED,    /* wall time went by and it got no CPU: our fault */
};

struct run_violation {
	char name[32]; /* "socket"; "" when the kernel could not tell */
	int64_t number;
	uint32_t architecture; /* AUDIT_ARCH_... */
	uint64_t arguments[6];
};

struct run_result {
	enum run_end end;
	int exit_code;
	int signal;
	uint64_t call;    /* which call it was in, an index of the plan; as
			     far as can be told, for words only */
	bool in_call;     /* false: before the first or after the last */
	bool crash_known; /* then crash holds what the handler reported */
	int crash_signal;
	int crash_code;
	uint64_t crash_address;
	uint64_t crash_pc;
	uint64_t crash_sp;
	uint64_t stack_top; /* where its stack began; 0: unknown */
	bool crash_write;
	uint64_t frames[16]; /* return addresses, the innermost first */
	size_t n_frames;
	uint64_t notes[6]; /* the shim's own, for words only */
	struct run_violation violation;
	/* Bytes of the last request over the limit in the call that it ended
	   in; 0: there was none.  Of one below 1 MiB, which the kernel refuses
	   by itself, it is inferred from how little was left, and is what it
	   had at least. */
	uint64_t memory_refused;
	bool memory_figures; /* the next is known */
	uint64_t memory_peak_kib;
	uint64_t cpu_us;
};

/*
 * Sets the counters and the crash of request->progress to zero, and runs the
 * calls from first to end.  A process that gets no CPU at all is killed and
 * started once more, its text cut back to where it began; if that gets none
 * either, or the deadline passes, it is RUN_STARVED.
 *
 * Without the layer "syscall names" a violation has no name and the number -1,
 * abort() may look like a crash, and there are no memory figures.  RUN_MEMORY
 * needs the layer "cgroup memory".
 */
bool sandbox_run_program(struct sandbox *sandbox,
	const struct run_request *request, struct run_result *result_out,
	struct error *err) __attribute__((warn_unused_result));

/*
 * The runner, a relocatable object to be linked first into every program, in
 * front of the shim (sandbox/runner/runner.h says what it wants of that).
 */
const void *sandbox_runner_object(size_t *len_out);

#endif
