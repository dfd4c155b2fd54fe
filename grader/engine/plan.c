/* SPDX-License-Identifier: MIT */
#include "grader/engine/plan.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/memfd.h"
#include "grader/engine/fill.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

/* A slot for each parameter number, once as input and once as output. */
enum { SLOTS_MAX = 2 * PARAMETERS_MAX };

/* What is known of the layout while it is being made. */
struct draft {
	const struct call *calls;
	size_t n_calls;
	uint32_t nonce;
	struct plan *header;
	struct plan_slot slots[SLOTS_MAX];
	size_t slot_number[SLOTS_MAX]; /* in the plan; SLOTS_MAX: unused */
	size_t n_slots;
	size_t n_arguments;
	size_t n_entries;
	size_t plan_bytes;
	size_t outputs_bytes;
	char *data; /* of the plan, plan_bytes long */
};

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1) / unit * unit;
}

static enum value_type type_of(const struct function *function, size_t p)
{
	return p < function->n_parameters ? function->parameters[p].type
					  : function->return_type;
}

static size_t value_bytes(
	const struct function *function, size_t p, const struct value *value)
{
	return value->count * type_bytes(type_of(function, p));
}

static bool is_present_array(const struct call *call, size_t p)
{
	return call->function->parameters[p].is_array &&
		!call->arguments[p].is_null;
}

static size_t slot_key(const struct call *call, size_t p)
{
	return 2 * p + call->function->parameters[p].output;
}

/* How big each slot must be, and how many entries and arguments there are. */
static void measure(struct draft *draft)
{
	for (size_t c = 0; c < draft->n_calls; c++) {
		const struct call *call = &draft->calls[c];
		const struct function *function = call->function;

		draft->n_entries += call->repeat;
		draft->n_arguments +=
			call->repeat * (function->n_parameters + 1);
		for (size_t p = 0; p < function->n_parameters; p++) {
			struct plan_slot *slot;
			size_t bytes;

			if (!is_present_array(call, p))
				continue;
			slot = &draft->slots[slot_key(call, p)];
			bytes = round_up(
				value_bytes(function, p, &call->arguments[p]) +
					BEFORE_PAINT_BYTES,
				PAGE);
			if (slot->bytes < bytes)
				slot->bytes = bytes;
			slot->writable = function->parameters[p].output;
		}
	}
}

/* Addresses: guard, slot, guard, slot ... guard, the same for the runner's
   writable views of the inputs.  Unused keys fall out. */
static void place_slots(struct draft *draft)
{
	size_t guard = GUARD_BYTES_MIN;
	uint64_t address = SLOTS_BASE;

	for (size_t k = 0; k < SLOTS_MAX; k++) {
		if (draft->slots[k].bytes > guard)
			guard = draft->slots[k].bytes;
		draft->slot_number[k] = SLOTS_MAX;
	}
	for (size_t k = 0; k < SLOTS_MAX; k++) {
		struct plan_slot slot = draft->slots[k];

		if (slot.bytes == 0)
			continue;
		address += guard;
		slot.address = address;
		slot.writable_address = address;
		address += slot.bytes;
		if (!slot.writable) {
			address += guard;
			slot.writable_address = address;
			address += slot.bytes;
		}
		draft->slot_number[k] = draft->n_slots;
		draft->slots[draft->n_slots++] = slot;
	}
}

/* Offsets in both descriptors, up to where the packed arrays begin. */
static void place_tables(struct draft *draft, struct plan *header)
{
	size_t at = round_up(sizeof(*header), 64);

	header->magic = PLAN_MAGIC;
	header->n_slots = (uint32_t)draft->n_slots;
	header->n_calls = (uint32_t)draft->n_entries;
	header->n_arguments = (uint32_t)draft->n_arguments;
	header->nonce = draft->nonce;
	header->slots_at = at;
	at += draft->n_slots * sizeof(struct plan_slot);
	header->calls_at = at;
	at += draft->n_entries * sizeof(struct plan_call);
	header->arguments_at = at;
	at += draft->n_arguments * sizeof(struct plan_argument);
	draft->plan_bytes = round_up(at, 64);

	at = round_up(sizeof(struct progress), PAGE);
	header->records_at = at;
	at += draft->n_entries * sizeof(struct call_record);
	draft->outputs_bytes = round_up(at, 64);
}

/* One argument of one entry; packed arrays are given their offsets. */
static struct plan_argument describe(
	struct draft *draft, const struct call *call, size_t p, size_t input_at)
{
	const struct function *function = call->function;
	bool is_result = p == function->n_parameters;
	const struct value *value = &call->arguments[p];
	struct plan_argument argument = {0};

	if (is_result || is_present_array(call, p)) {
		bool output = is_result || function->parameters[p].output;
		unsigned int origin =
			output ? FILL_OUTPUT : FILL_BEFORE + (unsigned int)p;

		argument.kind = is_result ? ARGUMENT_RESULT
			: output          ? ARGUMENT_OUTPUT
					  : ARGUMENT_INPUT;
		argument.bytes = is_result ? sizeof(union runner_value)
					   : value_bytes(function, p, value);
		argument.pattern = output && call->finite
			? fill_finite(type_of(function, p))
			: fill_pattern(
				  type_of(function, p), origin, draft->nonce);
		if (!is_result)
			argument.slot =
				(uint32_t)draft->slot_number[slot_key(call, p)];
		argument.value = input_at;
		if (output) {
			argument.value = draft->outputs_bytes;
			draft->outputs_bytes += round_up(argument.bytes, 8);
		}
		return argument;
	}
	argument.kind = function->parameters[p].is_array ? ARGUMENT_NULL
							 : ARGUMENT_SCALAR;
	if (function->parameters[p].is_array)
		return argument;
	argument.value = value->number;
	if (function->parameters[p].type == TYPE_DOUBLE) {
		memcpy(&argument.value, &value->real, sizeof(value->real));
	} else if (function->parameters[p].type == TYPE_FLOAT) {
		float real = (float)value->real;

		argument.value = 0;
		memcpy(&argument.value, &real, sizeof(real));
	}
	return argument;
}

/* The inputs of one call come behind each other, 8 bytes aligned. */
static size_t input_bytes(const struct call *call)
{
	size_t bytes = 0;

	for (size_t p = 0; p < call->function->n_parameters; p++) {
		if (is_present_array(call, p) &&
			!call->function->parameters[p].output)
			bytes += round_up(value_bytes(call->function, p,
						  &call->arguments[p]),
				8);
	}
	return bytes;
}

static void describe_entry(const struct call *call, struct draft *draft,
	struct plan_argument *arguments, size_t input_at)
{
	for (size_t p = 0; p <= call->function->n_parameters; p++) {
		arguments[p] = describe(draft, call, p, input_at);
		if (arguments[p].kind == ARGUMENT_INPUT)
			input_at += round_up(arguments[p].bytes, 8);
	}
}

/* Fills in the tables; all repeats of a call share its packed inputs. */
static void describe_calls(struct draft *draft, struct plan_call *entries,
	struct plan_argument *arguments, size_t *first_entry)
{
	size_t input_at = draft->plan_bytes;
	uint32_t entry = 0;
	uint32_t argument = 0;

	for (size_t c = 0; c < draft->n_calls; c++) {
		const struct call *call = &draft->calls[c];
		uint32_t n = (uint32_t)call->function->n_parameters + 1;

		first_entry[c] = entry;
		for (size_t r = 0; r < call->repeat; r++) {
			entries[entry++] = (struct plan_call){
				.function = call->function_index,
				.first_argument = argument,
				.n_arguments = n,
				.keep_outputs = r > 0,
			};
			describe_entry(
				call, draft, arguments + argument, input_at);
			argument += n;
		}
		input_at += input_bytes(call);
	}
	first_entry[draft->n_calls] = entry;
	draft->plan_bytes = input_at;
}

/* The slots' pages stand behind all else in the outputs. */
static void place_pages(struct draft *draft)
{
	size_t at = round_up(draft->outputs_bytes, PAGE);

	for (size_t s = 0; s < draft->n_slots; s++) {
		draft->slots[s].offset = at;
		at += draft->slots[s].bytes;
	}
	draft->outputs_bytes = at;
}

static void pack_inputs(const struct draft *draft, const size_t *first_entry,
	const struct plan_call *entries, const struct plan_argument *arguments)
{
	for (size_t c = 0; c < draft->n_calls; c++) {
		const struct call *call = &draft->calls[c];
		const struct plan_argument *first =
			arguments + entries[first_entry[c]].first_argument;

		for (size_t p = 0; p < call->function->n_parameters; p++) {
			if (first[p].kind == ARGUMENT_INPUT)
				memcpy(draft->data + first[p].value,
					call->arguments[p].data,
					first[p].bytes);
		}
	}
}

/* Both memfds of a layout whose tables are complete. */
static bool make_memfds(
	const struct draft *draft, struct plan_layout *out, struct error *err)
{
	const int sealed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

	out->plan_fd = memfd_create_sealed(
		"plan", draft->data, draft->plan_bytes, false, err);
	if (out->plan_fd < 0)
		return false;
	out->outputs_fd =
		memfd_create("outputs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (out->outputs_fd < 0 ||
		ftruncate(out->outputs_fd, (off_t)draft->outputs_bytes) < 0 ||
		fcntl(out->outputs_fd, F_ADD_SEALS, sealed) < 0)
		return error_set_errno(err, "cannot make room for outputs");
	out->outputs = mmap(NULL, draft->outputs_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED, out->outputs_fd, 0);
	if (out->outputs == MAP_FAILED) {
		out->outputs = NULL;
		return error_set_errno(err, "cannot make room for outputs");
	}
	out->outputs_bytes = draft->outputs_bytes;
	return true;
}

/* An output that the runner never packs must not read as zeros. */
static void prefill(const struct plan_layout *plan)
{
	for (size_t e = 0; e < plan->n_entries; e++) {
		const struct plan_argument *arguments =
			plan->arguments + plan->calls[e].first_argument;

		for (size_t p = 0; p < plan->calls[e].n_arguments; p++) {
			char *at;

			if (arguments[p].kind != ARGUMENT_OUTPUT &&
				arguments[p].kind != ARGUMENT_RESULT)
				continue;
			at = (char *)plan->outputs + arguments[p].value;
			/* Packed outputs have room up to 8 bytes. */
			for (size_t i = 0; i < arguments[p].bytes; i += 8)
				memcpy(at + i, &arguments[p].pattern, 8);
		}
	}
}

static bool fits(const struct draft *draft, struct error *err)
{
	size_t bytes = draft->plan_bytes + draft->outputs_bytes;

	if (bytes > PLAN_BYTES_MAX)
		return error_set(err, ERROR_EXERCISE,
			"the cases need %zu MiB of memory in one process, the "
			"limit is %zu MiB",
			bytes >> 20, PLAN_BYTES_MAX >> 20);
	return true;
}

static bool build(struct draft *draft, struct arena *arena,
	struct plan_layout *out, struct error *err)
{
	struct plan header = {0};
	struct plan_call *entries;
	struct plan_argument *arguments;
	size_t *first_entry;

	measure(draft);
	place_slots(draft);
	place_tables(draft, &header);
	entries = arena_alloc(arena, draft->n_entries, sizeof(*entries), err);
	if (!entries)
		return false;
	arguments =
		arena_alloc(arena, draft->n_arguments, sizeof(*arguments), err);
	if (!arguments)
		return false;
	first_entry = arena_alloc(
		arena, draft->n_calls + 1, sizeof(*first_entry), err);
	if (!first_entry)
		return false;
	describe_calls(draft, entries, arguments, first_entry);
	place_pages(draft);
	if (!fits(draft, err))
		return false;

	header.bytes = draft->plan_bytes;
	header.outputs_bytes = draft->outputs_bytes;
	draft->data = arena_alloc(arena, draft->plan_bytes, 1, err);
	if (!draft->data)
		return false;
	memcpy(draft->data, &header, sizeof(header));
	memcpy(draft->data + header.slots_at, draft->slots,
		draft->n_slots * sizeof(*draft->slots));
	memcpy(draft->data + header.calls_at, entries,
		draft->n_entries * sizeof(*entries));
	memcpy(draft->data + header.arguments_at, arguments,
		draft->n_arguments * sizeof(*arguments));
	pack_inputs(draft, first_entry, entries, arguments);

	out->records_at = header.records_at;
	out->slots = (const struct plan_slot *)(const void *)(draft->data +
		header.slots_at);
	out->n_slots = draft->n_slots;
	out->calls = entries;
	out->arguments = arguments;
	out->n_entries = draft->n_entries;
	out->first_entry = first_entry;
	return true;
}

bool plan_create(const struct call *calls, size_t count, uint32_t nonce,
	struct arena *arena, struct plan_layout *out, struct error *err)
{
	struct draft *draft = arena_alloc(arena, 1, sizeof(*draft), err);
	struct plan_layout plan = {.plan_fd = -1, .outputs_fd = -1};

	if (!draft)
		return false;
	draft->calls = calls;
	draft->n_calls = count;
	draft->nonce = nonce;
	if (!build(draft, arena, &plan, err) ||
		!make_memfds(draft, &plan, err)) {
		plan_finish(&plan);
		return false;
	}
	prefill(&plan);
	*out = plan;
	return true;
}

void plan_finish(struct plan_layout *plan)
{
	if (plan->outputs)
		munmap(plan->outputs, plan->outputs_bytes);
	if (plan->plan_fd >= 0)
		close(plan->plan_fd);
	if (plan->outputs_fd >= 0)
		close(plan->outputs_fd);
	*plan = (struct plan_layout){.plan_fd = -1, .outputs_fd = -1};
}

/* How far an address is outside of an array; 0 within it. */
static uint64_t distance(uint64_t address, uint64_t start, uint64_t end)
{
	if (address < start)
		return start - address;
	return address < end ? 0 : address - end + 1;
}

struct access plan_find_access(const struct plan_layout *plan, size_t entry,
	const struct function *function, uint64_t address, bool write)
{
	const struct plan_argument *arguments =
		plan->arguments + plan->calls[entry].first_argument;
	struct access found = {0};
	uint64_t nearest = UINT64_MAX;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct plan_slot *slot = plan->slots + arguments[p].slot;
		uint64_t end, start, away;
		int64_t bytes;

		if (arguments[p].kind != ARGUMENT_INPUT &&
			arguments[p].kind != ARGUMENT_OUTPUT)
			continue;
		end = slot->address + slot->bytes;
		start = end - arguments[p].bytes;
		away = distance(address, start, end);
		/* Every guard is as big as the biggest slot, or bigger. */
		if (away >= nearest || address + GUARD_BYTES_MIN < start ||
			address >= end + GUARD_BYTES_MIN + slot->bytes)
			continue;
		nearest = away;
		bytes = (int64_t)type_bytes(function->parameters[p].type);
		found.known = true;
		found.write = write;
		found.parameter = p;
		found.to_input =
			write && away == 0 && !function->parameters[p].output;
		found.element = (int64_t)(address - start);
		/* Rounded down, before the array as well. */
		found.element = found.element >= 0
			? found.element / bytes
			: -((-found.element + bytes - 1) / bytes);
	}
	return found;
}
