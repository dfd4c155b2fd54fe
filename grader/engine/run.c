/* SPDX-License-Identifier: MIT */
#include "grader/engine/run.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "grader/engine/hash.h"
#include "grader/engine/plan.h"
#include "grader/engine/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

/* One batch on its way through as many processes as it takes. */
struct batch {
	const struct tools *tools;
	const struct program *program;
	const struct exercise_limits *limits;
	const struct call *calls;
	struct call_result *results;
	size_t count;
	struct plan_layout plan;
	int text_fd;
	struct arena *arena;
	struct run_outcome *outcome;
	bool *troubled; /* some process of these calls ended badly */
};

/* What one process did, in entries of the plan. */
struct stretch {
	size_t first;
	size_t done; /* one past the last entry that returned */
	struct run_result result;
	double us_per_tick;
	uint64_t text_bytes;
};

/*
 * The same cases give the same filling, so that a program which computes with
 * memory that it never set gives the same report again.
 */
static uint32_t choose_nonce(const struct call *calls, size_t count)
{
	struct hash hash;

	hash_init(&hash);
	hash_add_number(&hash, count);
	for (size_t p = 0; p < calls[0].function->n_parameters; p++) {
		const struct value *value = &calls[0].arguments[p];

		hash_add_number(&hash, value->number);
		hash_add_number(&hash, value->count);
		hash_add(&hash, &value->real, sizeof(value->real));
	}
	return (uint32_t)hash_number(&hash) | 1;
}

/* The call that an entry of the plan belongs to. */
static size_t call_of(const struct batch *batch, size_t entry)
{
	size_t low = 0;
	size_t high = batch->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (batch->plan.first_entry[middle] <= entry)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static size_t clamp(uint64_t value, size_t least, size_t most)
{
	if (value < least)
		return least;
	return value > most ? most : (size_t)value;
}

/* Runs one process from the given entry on. */
static bool run_stretch(struct batch *batch, size_t first, uint64_t cpu_left_ms,
	struct stretch *out, struct error *err)
{
	struct progress *progress = plan_progress(&batch->plan);
	const struct run_request request = {
		.program = batch->program->fd,
		.plan = batch->plan.plan_fd,
		.outputs = batch->plan.outputs_fd,
		.text = batch->text_fd,
		.progress = progress,
		.runner_exit = batch->program->runner_exit,
		.limits = {.cpu_call_ms = batch->limits->cpu_case_ms,
			.cpu_total_ms = cpu_left_ms,
			.memory_bytes = batch->limits->memory_bytes,
			.stack_bytes = batch->limits->stack_bytes,
			.text_bytes = batch->limits->output_bytes},
		.cancel = batch->tools->cancel,
		.deadline_ms = batch->tools->deadline_ms,
	};
	uint64_t started_us = clock_read_us(CLOCK_MONOTONIC);
	uint64_t started_ticks = __rdtsc();
	off_t text_bytes;

	memset(progress, 0, sizeof(*progress));
	progress->first = first;
	progress->end = batch->plan.n_entries;
	if (ftruncate(batch->text_fd, 0) < 0)
		return error_set_errno(err, "cannot empty the text buffer");
	if (!sandbox_run_program(
		    batch->tools->sandbox, &request, &out->result, err))
		return false;
	text_bytes = lseek(batch->text_fd, 0, SEEK_END);
	if (text_bytes < 0)
		return error_set_errno(err, "cannot read the text buffer");

	out->first = first;
	out->text_bytes = (uint64_t)text_bytes;
	out->us_per_tick =
		(double)(clock_read_us(CLOCK_MONOTONIC) - started_us) /
		(double)(__rdtsc() - started_ticks);
	/* What the process says of its progress may be forged. */
	out->done =
		clamp(progress->done, 0, batch->plan.n_entries - first) + first;
	/* A bad end is never lost: it is the last call's, if not an earlier's.
	 */
	if (out->result.end != RUN_FINISHED &&
		out->done == batch->plan.n_entries)
		out->done--;
	batch->outcome->n_processes++;
	batch->outcome->cpu_us += out->result.cpu_us;
	if (out->result.memory_figures &&
		out->result.memory_peak_kib > batch->outcome->memory_peak_kib)
		batch->outcome->memory_peak_kib = out->result.memory_peak_kib;
	return true;
}

/* The entry's own text lies between the ends of the one before and its own. */
static bool take_text(const struct batch *batch, const struct stretch *stretch,
	size_t from_entry, size_t to_entry, struct call_result *result,
	struct error *err)
{
	const struct call_record *records =
		(const void *)((const char *)batch->plan.outputs +
			batch->plan.records_at);
	size_t bytes = (size_t)stretch->text_bytes;
	size_t from = 0;
	size_t to = bytes;
	char *text;
	ssize_t len;

	if (from_entry > stretch->first)
		from = clamp(records[from_entry - 1].text_end, 0, bytes);
	if (to_entry <= stretch->done)
		to = clamp(records[to_entry - 1].text_end, from, bytes);
	result->text_cut = to - from > TEXT_SHOWN;
	if (result->text_cut)
		to = from + TEXT_SHOWN;
	result->text = "";
	if (to == from)
		return true;
	text = arena_alloc(batch->arena, to - from + 1, 1, err);
	if (!text)
		return false;
	len = pread(batch->text_fd, text, to - from, (off_t)from);
	if (len < 0)
		return error_set_errno(err, "cannot read the text buffer");
	result->text = text;
	result->text_len = (size_t)len;
	return true;
}

/* The packed outputs of an entry, in memory of our own. */
static struct value *copy_outputs(const struct batch *batch,
	const struct call *call, size_t entry, struct error *err)
{
	const struct plan_argument *arguments =
		batch->plan.arguments + batch->plan.calls[entry].first_argument;
	size_t n = call->function->n_parameters;
	struct value *outputs =
		arena_alloc(batch->arena, n + 1, sizeof(*outputs), err);

	if (!outputs)
		return NULL;
	for (size_t p = 0; p <= n; p++) {
		struct value *value = &outputs[p];

		if (arguments[p].kind == ARGUMENT_RESULT &&
			!call->function->returns)
			continue;
		if (arguments[p].kind != ARGUMENT_OUTPUT &&
			arguments[p].kind != ARGUMENT_RESULT)
			continue;
		if (p < n)
			*value = call->arguments[p];
		else
			*value = (struct value){
				.count = 1, .n_axes = 1, .shape = {1}};
		value->data = arena_copy(batch->arena,
			(const char *)batch->plan.outputs + arguments[p].value,
			arguments[p].bytes, err);
		if (!value->data)
			return NULL;
	}
	return outputs;
}

static bool same_outputs(const struct batch *batch, size_t one, size_t other)
{
	const struct plan_argument *a =
		batch->plan.arguments + batch->plan.calls[one].first_argument;
	const struct plan_argument *b =
		batch->plan.arguments + batch->plan.calls[other].first_argument;
	const char *outputs = batch->plan.outputs;

	for (size_t p = 0; p < batch->plan.calls[one].n_arguments; p++) {
		/* Of what returns nothing the result is 0. */
		if ((a[p].kind == ARGUMENT_OUTPUT ||
			    a[p].kind == ARGUMENT_RESULT) &&
			memcmp(outputs + a[p].value, outputs + b[p].value,
				a[p].bytes) != 0)
			return false;
	}
	return true;
}

static bool take_outputs(const struct batch *batch, size_t c,
	struct call_result *result, struct error *err)
{
	const struct call *call = &batch->calls[c];
	size_t first = batch->plan.first_entry[c];
	size_t end = batch->plan.first_entry[c + 1];

	result->outputs = copy_outputs(batch, call, first, err);
	result->others = arena_alloc(
		batch->arena, end - first, sizeof(struct value *), err);
	if (!result->outputs || !result->others)
		return false;
	for (size_t e = first + 1; e < end; e++) {
		struct value **other = &result->others[result->n_others];

		if (same_outputs(batch, first, e))
			continue;
		*other = copy_outputs(batch, call, e, err);
		if (!*other)
			return false;
		result->n_others++;
	}
	return true;
}

/* The result of a call all of whose entries returned. */
static bool take_returned(const struct batch *batch,
	const struct stretch *stretch, size_t c, struct error *err)
{
	const struct call_record *records =
		(const void *)((const char *)batch->plan.outputs +
			batch->plan.records_at);
	struct call_result *result = &batch->results[c];
	size_t first = batch->plan.first_entry[c];
	size_t end = batch->plan.first_entry[c + 1];
	uint64_t ticks = 0;
	double cpu_us;

	for (size_t e = first; e < end; e++)
		ticks += records[e].ticks;
	result->state = CALL_RETURNED;
	cpu_us = (double)ticks * stretch->us_per_tick;
	/* Forged ones, too, and what is no number at all. */
	result->cpu_us = stretch->result.cpu_us;
	if (cpu_us < (double)result->cpu_us)
		result->cpu_us = (uint64_t)cpu_us;
	return take_outputs(batch, c, result, err) &&
		take_text(batch, stretch, first, end, result, err);
}

/* The result of the call in which the process ended. */
static bool take_ended(const struct batch *batch, const struct stretch *stretch,
	size_t c, struct error *err)
{
	struct call_result *result = &batch->results[c];
	const struct run_result *ended = &stretch->result;
	size_t first = batch->plan.first_entry[c];

	if (first < stretch->first)
		first = stretch->first;
	result->state = CALL_ENDED;
	result->ended = *ended;
	result->cpu_us = ended->cpu_us;
	for (size_t i = 0; i < c; i++) {
		if (batch->plan.first_entry[i] >= stretch->first)
			result->cpu_us -=
				result->cpu_us < batch->results[i].cpu_us
				? result->cpu_us
				: batch->results[i].cpu_us;
	}
	if (ended->end == RUN_SIGNALED && ended->crash_known && ended->in_call)
		result->access = plan_find_access(&batch->plan, stretch->done,
			batch->calls[c].function, ended->crash_address,
			ended->crash_write);
	if (ended->end == RUN_SIGNALED && ended->crash_known && ended->in_call)
		result->noted = plan_find_access(&batch->plan, stretch->done,
			batch->calls[c].function, ended->notes[3], false);
	return take_text(batch, stretch, first, stretch->done + 1, result, err);
}

/* Died before the first call or was refused one in a constructor: a fresh
   process would fare no better. */
static bool is_hopeless(const struct stretch *stretch)
{
	return !stretch->result.in_call && stretch->done == stretch->first;
}

/*
 * What is printed and what is not freed adds up over the calls of a process.  A
 * call that met such a limit when others had been there before it is made once
 * more, in a process of its own: so each has all that it may have.
 *
 * What it did then is forgotten, so it must be no more than dying of it: who
 * asks for too much first, and then makes a refused call or computes for ever,
 * is told of that.
 */
static bool met_shared_limit(
	const struct batch *batch, const struct stretch *stretch, size_t c)
{
	const struct run_result *ended = &stretch->result;

	if (batch->plan.first_entry[c] == stretch->first)
		return false;
	switch (ended->end) {
	case RUN_TEXT_LIMIT:
	case RUN_MEMORY:
		return true;
	case RUN_SIGNALED:
	case RUN_ABORTED:
	case RUN_EXITED:
		return ended->memory_refused > 0;
	case RUN_FINISHED:
	case RUN_VIOLATION:
	case RUN_CPU_CALL:
	case RUN_CPU_TOTAL:
	case RUN_KILLED:
	case RUN_STARVED:
		return false;
	}
	return false;
}

/*
 * The time for all is over.  A call during which it ran out because others had
 * crashed or looped before is not to blame: it has not been run.  When nothing
 * else went wrong, the first call without time is where the limit showed.
 */
static void run_out_of_time(struct batch *batch, size_t c)
{
	struct call_result *result = &batch->results[c];

	if (*batch->troubled) {
		*result =
			(struct call_result){.state = CALL_NOT_RUN, .text = ""};
		return;
	}
	result->state = CALL_ENDED;
	result->ended = (struct run_result){.end = RUN_CPU_TOTAL};
	*batch->troubled = true;
}

static bool run_batch(struct batch *batch, struct error *err)
{
	uint64_t cpu_ms = batch->limits->cpu_total_ms;
	size_t entry = 0;

	while (entry < batch->plan.n_entries) {
		uint64_t used_ms = batch->outcome->cpu_us / 1000;
		struct stretch stretch = {0};
		size_t c = call_of(batch, entry);

		if (used_ms >= cpu_ms) {
			run_out_of_time(batch, c);
			return true; /* the rest stays CALL_NOT_RUN */
		}
		if (!run_stretch(batch, entry, cpu_ms - used_ms, &stretch, err))
			return false;
		for (; c < batch->count &&
			batch->plan.first_entry[c + 1] <= stretch.done;
			c++) {
			if (!take_returned(batch, &stretch, c, err))
				return false;
		}
		if (c == batch->count)
			return true;
		if (met_shared_limit(batch, &stretch, c)) {
			entry = batch->plan.first_entry[c];
			continue;
		}
		if (stretch.result.end == RUN_CPU_TOTAL && *batch->troubled) {
			run_out_of_time(batch, c);
			return true;
		}
		*batch->troubled = true;
		do {
			if (!take_ended(batch, &stretch, c++, err))
				return false;
		} while (c < batch->count && is_hopeless(&stretch));
		entry = batch->plan.first_entry[c];
	}
	return true;
}

static bool start_batch(struct batch *batch, uint32_t nonce, struct error *err)
{
	CLEANUP(cleanup_close) int text = memfd_create("text", MFD_CLOEXEC);
	bool done;

	if (text < 0 || fcntl(text, F_SETFL, O_APPEND) < 0)
		return error_set_errno(err, "cannot make a text buffer");
	batch->text_fd = text;
	if (!plan_create(batch->calls, batch->count, nonce, batch->arena,
		    &batch->plan, err))
		return false;
	done = run_batch(batch, err);
	plan_finish(&batch->plan);
	return done;
}

bool run_calls(const struct tools *tools, const struct run_job *job,
	struct arena *arena, struct run_outcome *outcome_out, struct error *err)
{
	const struct call *calls = job->calls;
	const size_t count = job->count;
	struct run_outcome outcome = {0};
	bool troubled = false;

	outcome.results =
		arena_alloc(arena, count, sizeof(*outcome.results), err);
	if (!outcome.results)
		return false;
	for (size_t c = 0; c < count; c++) {
		outcome.results[c].state = CALL_NOT_RUN;
		outcome.results[c].text = "";
	}
	if (count > 0)
		outcome.nonce = choose_nonce(calls, count);
	for (size_t from = 0, to; from < count; from = to) {
		struct batch batch = {
			.tools = tools,
			.program = job->program,
			.limits = job->limits,
			.calls = calls + from,
			.results = outcome.results + from,
			.arena = arena,
			.outcome = &outcome,
			.troubled = &troubled,
		};

		to = from + 1;
		while (to < count && calls[to].batch == calls[from].batch)
			to++;
		batch.count = to - from;
		if (!start_batch(&batch, outcome.nonce, err))
			return false;
	}
	*outcome_out = outcome;
	return true;
}
