/* SPDX-License-Identifier: MIT */
#include "grader/engine/slips.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/cases.h"
#include "grader/engine/crash.h"
#include "grader/engine/diagnostics.h"
#include "grader/engine/exercise.h"
#include "grader/engine/fill.h"
#include "grader/engine/grade.h"
#include "grader/engine/places.h"
#include "grader/engine/poison.h"
#include "grader/engine/source.h"
#include "sandbox/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* As in shim_checked.h, which says what the other notes are. */
enum {
	NOTE_INDEX = 1,
	NOTE_DIVISION,
	NOTE_UNSET,
	NOTE_BLOCK,
	NOTE_FREE,
	NOTE_POINTER,
	NOTE_MISALIGNED,
};
enum { BLOCK_LIVE = 1, BLOCK_FREED, BLOCK_FRONT };
enum { NOTED_TWICE = 1, NOTED_MIDDLE, NOTED_FOREIGN };

#define NULL_NEAR 0x10000u

/*
 * It is for words, so it gets little time, and a program that behaves otherwise
 * here than when it is graded gains nothing by being slow.  Guarded blocks of
 * malloc()'s take whole pages: there is more memory.
 */
enum {
	FAILED_MAX = 16, /* cases that are run */
	PASSED_MAX = 24,
	CPU_CASE_MS = 50,
	CPU_TOTAL_MS = 150,
	MORE_MEMORY_BYTES = 32 << 20,
	TEXT_BYTES = 1 << 20,
};

/* What is known of a search while it goes on. */
struct search {
	const struct slips_request *request;
	const struct tools *tools;
	struct arena *arena;
	struct text shim;
	struct build_request build_request;
	struct build build;
	struct places places;
	size_t *chosen; /* case numbers */
	size_t n_chosen;
	struct run_outcome outcome;
	struct slips *out;
};

/* What one call came to. */
struct seen {
	const struct case_grade *graded;
	const struct call_result *result;
	const struct run_result *ended;
	struct slip slip;
};

/* Cases ------------------------------------------------------------------- */

/* Whether the kind of its failure is one that memory can be the reason of. */
static bool is_worth_a_look(const struct case_grade *graded)
{
	return graded->verdict == VERDICT_WRONG_ANSWER ||
		(graded->verdict == VERDICT_RUNTIME_ERROR &&
			!graded->stack_overflow &&
			graded->ended.end != RUN_EXITED);
}

static bool is_chosen(const struct search *s, size_t number)
{
	for (size_t i = 0; i < s->n_chosen; i++)
		if (s->chosen[i] == number)
			return true;
	return false;
}

/* Of each group the first, and then all, as long as there is room. */
static void choose_failed(struct search *s)
{
	const struct slips_request *request = s->request;

	for (int all = 0; all < 2; all++) {
		size_t group = SIZE_MAX;

		for (size_t i = 0; i < request->n_cases; i++) {
			const struct case_grade *graded = &request->cases[i];

			if (graded->hidden || !is_worth_a_look(graded) ||
				(!all && graded->group == group) ||
				is_chosen(s, i) || s->n_chosen == FAILED_MAX)
				continue;
			group = graded->group;
			s->chosen[s->n_chosen++] = i;
		}
	}
}

/* Where all that failed is hidden, a slip may show in others. */
static bool only_hidden_failed(const struct search *s)
{
	for (size_t i = 0; i < s->request->n_cases; i++)
		if (!s->request->cases[i].hidden &&
			s->request->cases[i].verdict != VERDICT_PASS)
			return false;
	return true;
}

static bool choose(struct search *s, struct error *err)
{
	s->chosen = arena_alloc(
		s->arena, FAILED_MAX + PASSED_MAX, sizeof(*s->chosen), err);
	if (!s->chosen)
		return false;
	choose_failed(s);
	if (!only_hidden_failed(s))
		return true;
	for (size_t i = 0; i < s->request->n_cases && s->n_chosen < PASSED_MAX;
		i++)
		if (!s->request->cases[i].hidden)
			s->chosen[s->n_chosen++] = i;
	return true;
}

/* Build and run ----------------------------------------------------------- */

static bool build(struct search *s, struct error *err)
{
	const struct exercise *exercise = s->request->exercise;

	source_put_checked_shim(
		&s->shim, exercise->functions, exercise->n_functions);
	if (!text_check(&s->shim, err))
		return false;
	s->build_request = *s->request->build;
	s->build_request.kind = BUILD_CHECKED;
	s->build_request.shim = s->shim.data;
	s->build_request.shim_len = s->shim.len;
	return compile_program(
		s->tools, &s->build_request, s->arena, &s->build, err);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool run(struct search *s, struct error *err)
{
	struct exercise_limits limits = s->request->exercise->limits;
	struct call *calls =
		arena_alloc(s->arena, s->n_chosen, sizeof(*calls), err);

	if (!calls)
		return false;
	for (size_t i = 0; i < s->n_chosen; i++) {
		const struct test_case *c =
			s->request->cases[s->chosen[i]].test_case;

		calls[i] = (struct call){
			.function = c->function,
			.function_index = (uint32_t)c->function_index,
			.arguments = c->arguments,
			.repeat = c->repeat,
		};
	}
	limits.cpu_case_ms = smaller(limits.cpu_case_ms, CPU_CASE_MS);
	limits.cpu_total_ms = smaller(limits.cpu_total_ms, CPU_TOTAL_MS);
	limits.output_bytes = smaller(limits.output_bytes, TEXT_BYTES);
	limits.memory_bytes += MORE_MEMORY_BYTES;
	return run_calls(s->tools,
		&(struct run_job){
			&s->build.program, &limits, calls, s->n_chosen},
		s->arena, &s->outcome, err);
}

/* Names ------------------------------------------------------------------- */

static void set_name(struct slip *slip, const struct place_name *name)
{
	if (!name->text || name->len >= sizeof(slip->name))
		return;
	memcpy(slip->name, name->text, name->len);
	slip->name[name->len] = '\0';
	slip->name_line = name->line;
}

/* The variable that a site of the poison stands for. */
static bool name_site(
	const struct search *s, uint32_t number, struct slip *slip)
{
	const struct poison *poison = s->build.poison;
	struct place_name name;

	if (number == 0 || !poison || number > poison->n_sites)
		return false;
	name = places_name(&s->places, poison->sites[number].line,
		poison->sites[number].column);
	set_name(slip, &name);
	return slip->name[0] != '\0';
}

static int line_of(const struct search *s, uint64_t pc)
{
	return pc ? compile_find_line(&s->build.program, &s->build_request, pc)
		  : 0;
}

/* The program's notes say where, and its line table has to agree. */
static bool take_place(struct seen *seen)
{
	int line = (int)(seen->ended->notes[1] >> 32);

	if (line <= 0 || line != seen->slip.line)
		return false;
	seen->slip.column = (int)(uint32_t)seen->ended->notes[1];
	return true;
}

/* What was seen ----------------------------------------------------------- */

static void size_of_parameter(struct seen *seen, size_t parameter)
{
	const struct value *value;

	if (parameter >= seen->graded->function->n_parameters)
		return;
	value = &seen->graded->test_case->arguments[parameter];
	if (value->is_null || seen->slip.axis >= value->n_axes)
		return;
	seen->slip.parameter = parameter;
	seen->slip.size = value->shape[seen->slip.axis];
}

static bool see_index(const struct search *s, struct seen *seen)
{
	struct slip *slip = &seen->slip;
	struct place_subscript subscript;
	struct place_name declared;
	uint32_t site = poison_site_of_number((int64_t)seen->ended->notes[2]);

	if (seen->ended->crash_signal != SIGILL)
		return false;
	slip->kind = SLIP_INDEX;
	slip->element = (int64_t)seen->ended->notes[2];
	slip->element_known = true;
	slip->size = seen->ended->notes[3];
	if (!take_place(seen))
		return true;
	subscript = places_subscript(&s->places, slip->line, slip->column);
	slip->axis = subscript.axis;
	if (name_site(s, site, slip)) {
		slip->index_unset = true;
		return true;
	}
	set_name(slip, &subscript.name);
	declared = places_local_array(
		&s->places, slip->line, &subscript.name, slip->bound);
	if (declared.text)
		slip->name_line = declared.line;
	else
		slip->bound[0] = '\0';
	if (slip->size == 0)
		size_of_parameter(seen,
			places_parameter(&s->places,
				seen->graded->function->name, slip->line,
				&subscript.name));
	return true;
}

static bool see_division(const struct search *s, struct seen *seen)
{
	(void)s;
	if (seen->ended->crash_signal != SIGILL)
		return false;
	seen->slip.kind = SLIP_DIVISION;
	seen->slip.left = (int64_t)seen->ended->notes[2];
	seen->slip.right = (int64_t)seen->ended->notes[3];
	seen->slip.element_known = true;
	take_place(seen);
	return true;
}

/* The block that the notes have: whose it is, and in which units. */
static void describe_block(const struct search *s, struct seen *seen,
	uint64_t caller, int64_t offset, uint64_t bytes)
{
	struct slip *slip = &seen->slip;
	int line = line_of(s, caller - 1);
	enum place_type type;
	struct place_name owner = places_block_owner(&s->places, line, &type);

	slip->unit_bytes = 1;
	if (owner.text && type == PLACE_DOUBLE && offset % 8 == 0 &&
		bytes % 8 == 0)
		slip->unit_bytes = 8;
	slip->element = offset / (int64_t)slip->unit_bytes;
	slip->element_known = true;
	slip->size = bytes / slip->unit_bytes;
	set_name(slip, &owner);
	slip->name_line = line;
}

static bool see_block(const struct search *s, struct seen *seen)
{
	const uint64_t *notes = seen->ended->notes;
	struct slip *slip = &seen->slip;

	slip->kind = notes[1] == BLOCK_FREED ? SLIP_FREED : SLIP_BLOCK;
	slip->late = notes[1] == BLOCK_FRONT;
	slip->write = slip->late || seen->ended->crash_write;
	describe_block(s, seen, notes[4], (int64_t)notes[2], notes[3]);
	slip->freed_line = notes[5] ? line_of(s, notes[5] - 1) : 0;
	return true;
}

static bool see_free(const struct search *s, struct seen *seen)
{
	const uint64_t *notes = seen->ended->notes;
	struct slip *slip = &seen->slip;

	slip->kind = SLIP_FREE;
	if (notes[1] == NOTED_FOREIGN) {
		const struct access *noted = &seen->result->noted;
		bool inside = noted->known && noted->element >= 0 &&
			(uint64_t)noted->element <
				seen->graded->test_case
					->arguments[noted->parameter]
					.count;

		slip->free = inside ? FREE_PARAMETER : FREE_FOREIGN;
		slip->parameter = inside ? noted->parameter : PLACES_NONE;
		return true;
	}
	slip->free = notes[1] == NOTED_TWICE ? FREE_TWICE : FREE_MIDDLE;
	describe_block(s, seen, notes[4], (int64_t)notes[2], notes[3]);
	slip->freed_line = notes[5] ? line_of(s, notes[5] - 1) : 0;
	return true;
}

/* From memory in front of an array that it was given. */
static bool see_before(struct seen *seen, size_t parameter)
{
	struct slip *slip = &seen->slip;
	const struct access *noted = &seen->result->noted;

	if (parameter >= seen->graded->function->n_parameters)
		return false;
	slip->kind = SLIP_ACCESS;
	slip->parameter = parameter;
	slip->access = (struct access){.known = true, .parameter = parameter};
	slip->element_known = noted->known && noted->parameter == parameter &&
		noted->element < 0;
	slip->access.element = slip->element_known ? noted->element : -1;
	return true;
}

static size_t only_output(const struct function *function)
{
	size_t found = PLACES_NONE, n = 0;

	for (size_t p = 0; p < function->n_parameters; p++)
		if (function->parameters[p].output &&
			function->parameters[p].is_array) {
			found = p;
			n++;
		}
	return n == 1 ? found : PLACES_NONE;
}

static void see_output(const struct search *s, struct seen *seen)
{
	struct slip *slip = &seen->slip;
	const struct access *noted = &seen->result->noted;
	const struct function *function = seen->graded->function;

	const uint64_t bits = seen->ended->notes[1];
	size_t numbered = (size_t)(bits >> 40 & 0x7ff);

	slip->memory = MEMORY_OUTPUT;
	slip->adds = places_adds_to_element(&s->places, slip->line);
	slip->element_known = true;
	if (seen->ended->notes[2] == 8 && numbered < function->n_parameters &&
		function->parameters[numbered].output) {
		slip->parameter = numbered;
		slip->element = (int64_t)(uint32_t)bits;
	} else if (noted->known &&
		function->parameters[noted->parameter].output) {
		slip->parameter = noted->parameter;
		slip->element = noted->element;
	} else {
		slip->parameter = only_output(function);
		slip->element_known = false;
	}
	/* Forged, or of another call. */
	if (slip->parameter != PLACES_NONE &&
		(uint64_t)slip->element >=
			seen->graded->test_case->arguments[slip->parameter]
				.count)
		slip->element_known = false;
}

static bool see_unset(const struct search *s, struct seen *seen)
{
	const uint64_t *notes = seen->ended->notes;
	struct slip *slip = &seen->slip;
	bool is_float = notes[2] == 4;
	unsigned int origin = is_float ? (unsigned int)(notes[1] >> 14 & 0xff)
				       : (unsigned int)(notes[1] >> 32 & 0xff);
	int64_t offset = (int64_t)notes[5] >> 32;

	if (seen->ended->crash_signal != SIGFPE)
		return false;
	slip->kind = SLIP_UNSET;
	slip->memory = MEMORY_OTHER;
	if (origin >= FILL_BEFORE)
		return see_before(seen, origin - FILL_BEFORE);
	if (origin == FILL_OUTPUT) {
		see_output(s, seen);
	} else if (origin == FILL_HEAP) {
		slip->memory = MEMORY_BLOCK;
		if (notes[4] == 0)
			return true;
		describe_block(s, seen, (uint32_t)notes[5], offset, notes[4]);
		if (offset < 0)
			slip->kind = SLIP_BLOCK;
	} else if (origin == FILL_LOCAL) {
		int64_t element = -1;
		uint32_t site = is_float
			? poison_site_of_float((uint32_t)notes[1])
			: poison_site_of_double(notes[1], &element);

		slip->memory = MEMORY_VARIABLE;
		name_site(s, site, slip);
		slip->element = element;
		slip->element_known = element >= 0 && slip->name[0];
	}
	return true;
}

static bool see_segv(const struct search *s, struct seen *seen)
{
	const struct run_result *ended = seen->ended;
	struct slip *slip = &seen->slip;

	slip->write = ended->crash_write;
	if (seen->result->access.known) {
		slip->kind = SLIP_ACCESS;
		slip->access = seen->result->access;
		slip->parameter = slip->access.parameter;
		slip->element_known = true;
		return true;
	}
	if (ended->crash_code == SI_KERNEL || ended->crash_code <= 0 ||
		ended->crash_address == ended->crash_pc)
		return false;
	slip->kind = SLIP_POINTER;
	slip->pointer =
		ended->crash_address < NULL_NEAR ? POINTER_NULL : POINTER_WILD;
	if (name_site(s, poison_site_of_address(ended->crash_address), slip))
		slip->pointer = POINTER_UNSET;
	return slip->pointer != POINTER_WILD;
}

/* A pointer that was never set, and is as no address can be. */
static bool see_pointer(const struct search *s, struct seen *seen)
{
	const uint64_t bits = seen->ended->notes[1];
	struct slip *slip = &seen->slip;
	int64_t element = -1;

	slip->kind = SLIP_POINTER;
	slip->pointer = POINTER_UNSET;
	/* One of an array: of a single one the address would tell. */
	slip->element_known =
		name_site(s, poison_site_of_double(bits, &element), slip);
	return (bits >> 32 & 0xff) == FILL_LOCAL ||
		(bits >> 32 & 0xff) == FILL_HEAP ||
		(bits >> 32 & 0xff) == FILL_STACK;
}

static bool see_misaligned(const struct search *s, struct seen *seen)
{
	const struct access *noted = &seen->result->noted;

	(void)s;
	seen->slip.kind = SLIP_POINTER;
	seen->slip.pointer = POINTER_MISALIGNED;
	if (noted->known && noted->element >= 0) {
		seen->slip.parameter = noted->parameter;
		seen->slip.element = noted->element;
	}
	return true;
}

static bool see_frame(const struct search *s, struct seen *seen)
{
	struct place_name name =
		places_only_local_array(&s->places, seen->slip.line);

	seen->slip.kind = SLIP_FRAME;
	set_name(&seen->slip, &name);
	return true;
}

static bool see_crash(const struct search *s, struct seen *seen)
{
	static bool (*const readers[])(
		const struct search *s, struct seen *seen) = {
		[NOTE_INDEX] = see_index,
		[NOTE_DIVISION] = see_division,
		[NOTE_UNSET] = see_unset,
		[NOTE_BLOCK] = see_block,
		[NOTE_FREE] = see_free,
		[NOTE_POINTER] = see_pointer,
		[NOTE_MISALIGNED] = see_misaligned,
	};
	const struct run_result *ended = seen->ended;
	const struct program *program = &s->build.program;
	uint64_t note = ended->notes[0];

	if ((ended->end != RUN_SIGNALED && ended->end != RUN_ABORTED) ||
		!ended->crash_known || !ended->in_call ||
		crash_is_stack_overflow(
			ended, s->request->exercise->limits.stack_bytes))
		return false;
	seen->slip.line = line_of(s, crash_find_pc(program, ended));
	if (note > 0 && note < sizeof(readers) / sizeof(*readers))
		return readers[note](s, seen);
	if (crash_is_frame_overwritten(program, ended))
		return see_frame(s, seen);
	if (ended->crash_signal == SIGSEGV)
		return see_segv(s, seen);
	return false;
}

/* Calls that returned ----------------------------------------------------- */

static bool see_unwritten(const struct search *s, struct seen *seen)
{
	const struct function *function = seen->graded->function;
	struct slip *slip = &seen->slip;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct value *output = &seen->result->outputs[p];
		enum value_type type = function->parameters[p].type;
		size_t ignored;

		if (!output->data)
			continue;
		for (size_t i = 0; i < output->count; i++) {
			if (fill_origin_of(s->outcome.nonce, type,
				    (const char *)output->data +
					    i * type_bytes(type),
				    &ignored) != ORIGIN_UNTOUCHED)
				continue;
			if (slip->n_elements++ == 0)
				slip->element = (int64_t)i;
		}
		if (slip->n_elements == 0)
			continue;
		slip->kind = SLIP_UNWRITTEN;
		slip->element_known = true;
		slip->size = output->count;
		slip->parameter = p;
		return true;
	}
	return false;
}

/* Neither memory that was never set nor an output that was added to stopped
   it: something was kept. */
static bool see_kept(const struct search *s, struct seen *seen)
{
	struct place_name name = places_only_static(&s->places);

	if (!seen->graded->repeats_differ || !name.text)
		return false;
	seen->slip.kind = SLIP_KEPT;
	seen->slip.line = name.line;
	set_name(&seen->slip, &name);
	return true;
}

/* The list ---------------------------------------------------------------- */

/* Whether its own case says so already. */
static bool is_said(const struct slip *slip, const struct case_grade *graded)
{
	const struct access *access = &graded->access;

	if (slip->kind == SLIP_UNWRITTEN)
		return graded->origin == ORIGIN_UNTOUCHED;
	if (slip->line == 0 || slip->line != graded->line)
		return false;
	if (slip->kind == SLIP_ACCESS)
		return access->known && slip->element_known &&
			access->parameter == slip->access.parameter &&
			access->element == slip->access.element;
	return slip->kind == SLIP_POINTER && slip->pointer == POINTER_NULL;
}

static bool is_listed(const struct slips *list, const struct slip *slip)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct slip *other = &list->items[i];

		if (other->kind == slip->kind && other->line == slip->line &&
			other->parameter == slip->parameter &&
			strcmp(other->name, slip->name) == 0)
			return true;
	}
	return false;
}

static void look_at(struct search *s, size_t i)
{
	struct seen seen = {
		.graded = &s->request->cases[s->chosen[i]],
		.result = &s->outcome.results[i],
		.slip = {.case_number = s->chosen[i], .parameter = PLACES_NONE},
	};
	bool found = false;

	seen.ended = &seen.result->ended;
	if (seen.result->state == CALL_ENDED)
		found = see_crash(s, &seen);
	else if (seen.result->state == CALL_RETURNED)
		found = see_unwritten(s, &seen) || see_kept(s, &seen);
	if (!found || is_said(&seen.slip, seen.graded) ||
		is_listed(s->out, &seen.slip) || s->out->count == SLIPS_MAX)
		return;
	s->out->items[s->out->count++] = seen.slip;
}

static bool search(struct search *s, struct error *err)
{
	const struct build_request *graded = s->request->build;
	struct source_file source = source_file_of(
		graded->source_name, graded->source, graded->source_len);

	s->out->renumbered = source.renumbered;
	s->out->items =
		arena_alloc(s->arena, SLIPS_MAX, sizeof(*s->out->items), err);
	if (!s->out->items ||
		!places_read(&s->places, graded->source,
			source.renumbered ? 0 : graded->source_len, s->arena,
			err) ||
		!choose(s, err))
		return false;
	if (s->n_chosen == 0)
		return true;
	if (!build(s, err))
		return false;
	if (!s->build.ok)
		return true;
	if (!run(s, err))
		return false;
	for (size_t i = 0; i < s->n_chosen; i++)
		look_at(s, i);
	return true;
}

bool slips_find(const struct slips_request *request, const struct tools *tools,
	struct arena *arena, struct slips *out, struct error *err)
{
	struct slips found = {0};
	struct search s = {
		.request = request,
		.tools = tools,
		.arena = arena,
		.build = {.program = {.fd = -1}},
		.out = &found,
	};
	bool good = search(&s, err);

	program_finish(&s.build.program);
	text_finish(&s.shim);
	if (good)
		*out = found;
	return good;
}
