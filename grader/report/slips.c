/* SPDX-License-Identifier: MIT */
#include "grader/report/slips.h"

#include "base/text.h"
#include "grader/engine/places.h"
#include "grader/report/sentence.h"

#include <inttypes.h>

/* Each says one kind of slip. */
typedef void put_slip(struct text *out, const struct case_grade *graded,
	const struct slip *slip);

static const char *parameter_name(
	const struct case_grade *graded, const struct slip *slip)
{
	return slip->parameter < graded->function->n_parameters
		? graded->function->parameters[slip->parameter].name
		: NULL;
}

static void put_elements(struct text *out, uint64_t n)
{
	text_printf(out, "%" PRIu64 " element%s", n, n == 1 ? "" : "s");
}

static void put_access(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	if (slip->element_known)
		sentence_put_access(out, graded, &slip->access);
	else
		text_printf(out, "read memory in front of %s[0]",
			parameter_name(graded, slip));
}

/* "used scores[64]: scores has 64 elements", "used Q[..][3]: a row of Q has 3
   elements" */
static void put_index(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	const char *array = slip->name;

	(void)graded;
	if (slip->index_unset) {
		text_printf(out, "used %s as an index before it was set",
			slip->name);
		return;
	}
	if (!array[0]) {
		text_printf(out, "used index %" PRId64 " of an array",
			slip->element);
		if (slip->element < 0)
			text_puts(out, ": the first one is 0");
		else if (slip->size > 0) {
			text_puts(out, " that has ");
			put_elements(out, slip->size);
		} else
			text_puts(out, ", which is past its end");
		return;
	}
	text_printf(out, "used %s", array);
	for (size_t i = 0; i < slip->axis; i++)
		text_puts(out, "[..]");
	text_printf(out, "[%" PRId64 "]: ", slip->element);
	if (slip->element < 0) {
		text_puts(out, "the first index is 0");
	} else if (slip->size > 0) {
		text_printf(
			out, "%s%s has ", slip->axis ? "a row of " : "", array);
		put_elements(out, slip->size);
	} else if (slip->bound[0]) {
		text_printf(out, "it is declared as %s in line %d", slip->bound,
			slip->name_line);
	} else {
		text_printf(out, "that is past the end of %s%s",
			slip->axis ? "a row of " : "", array);
	}
}

static void put_unset(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	const char *output = parameter_name(graded, slip);
	char index[128];

	switch (slip->memory) {
	case MEMORY_VARIABLE:
		text_puts(out, slip->name[0] ? slip->name : "a variable");
		if (slip->element_known)
			text_printf(out, "[%" PRId64 "]", slip->element);
		text_puts(out, " was used before it was set");
		break;
	case MEMORY_BLOCK:
		if (slip->name[0] && slip->unit_bytes == 8 &&
			slip->element_known)
			text_printf(out, "%s[%" PRId64 "]", slip->name,
				slip->element);
		else if (slip->name[0])
			text_printf(out, "the block %s", slip->name);
		else
			text_puts(out, "memory from malloc");
		text_puts(out,
			" was used before it was set: malloc sets nothing");
		break;
	case MEMORY_OUTPUT:
		if (!output) {
			text_puts(out, "an output");
		} else {
			text_puts(out, output);
			if (slip->element_known) {
				const struct value *value =
					&graded->test_case
						 ->arguments[slip->parameter];

				shape_describe_index(value->shape,
					value->n_axes, (size_t)slip->element,
					index, sizeof(index));
				text_puts(out, index);
			}
		}
		text_printf(out, " was %s before it was set",
			slip->adds ? "added to" : "used");
		break;
	case MEMORY_OTHER:
		text_puts(out, "memory was used before it was set");
		break;
	}
}

/* "w[5]" or "byte 40 of a block"; what it has, and since where. */
static void put_block_element(struct text *out, const struct slip *slip)
{
	if (slip->unit_bytes == 8)
		text_printf(out, "%s[%" PRId64 "]", slip->name, slip->element);
	else if (slip->name[0])
		text_printf(out, "byte %" PRId64 " of the block %s",
			slip->element, slip->name);
	else
		text_printf(out, "byte %" PRId64 " of a block from malloc",
			slip->element);
}

static void put_asked(struct text *out, const struct slip *slip)
{
	if (slip->name_line > 0)
		text_printf(out, " (asked for in line %d)", slip->name_line);
}

static void put_block(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	(void)graded;
	text_puts(out, slip->write ? "wrote " : "read ");
	put_block_element(out, slip);
	if (slip->element < 0) {
		text_puts(out, ": that is in front of it");
	} else {
		text_puts(out, ": it has ");
		if (slip->unit_bytes == 8)
			put_elements(out, slip->size);
		else
			text_printf(out, "%" PRIu64 " byte%s", slip->size,
				slip->size == 1 ? "" : "s");
	}
	put_asked(out, slip);
	if (slip->late)
		text_puts(out, ", which showed when it was freed");
}

static void put_freed(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	(void)graded;
	text_puts(out, slip->write ? "wrote " : "read ");
	put_block_element(out, slip);
	text_puts(out, " after it was freed");
	if (slip->freed_line > 0)
		text_printf(out, " (in line %d)", slip->freed_line);
}

static void put_free(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	const char *parameter = parameter_name(graded, slip);

	switch (slip->free) {
	case FREE_TWICE:
		text_printf(out, "freed %s twice",
			slip->name[0] ? slip->name : "the same block");
		if (slip->freed_line > 0)
			text_printf(
				out, " (first in line %d)", slip->freed_line);
		break;
	case FREE_MIDDLE:
		text_puts(out, "freed a pointer to ");
		put_block_element(out, slip);
		text_puts(out, ": free wants what malloc gave");
		put_asked(out, slip);
		break;
	case FREE_PARAMETER:
		text_printf(out,
			"freed %s, which is not yours to free: malloc did not "
			"give it",
			parameter);
		break;
	case FREE_FOREIGN:
		text_puts(out, "freed what malloc did not give");
		break;
	}
}

static void put_division(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	(void)graded;
	if (slip->right == 0)
		text_printf(out,
			"divided %" PRId64 " by zero (whole numbers, / or %%)",
			slip->left);
	else
		text_puts(out,
			"divided the lowest whole number by -1, which no "
			"number of its type can hold");
}

static void put_pointer(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	const char *array = parameter_name(graded, slip);

	if (slip->pointer == POINTER_UNSET && slip->name[0])
		text_printf(out, "used %s %s before it was set",
			slip->element_known ? "a pointer of" : "the pointer",
			slip->name);
	else if (slip->pointer == POINTER_UNSET)
		text_puts(out, "used a pointer before it was set");
	else if (slip->pointer == POINTER_MISALIGNED)
		text_printf(out,
			"used %s with a type that can only start at every 16th "
			"byte",
			array ? array : "a pointer");
	else
		text_printf(out, "%s through a NULL pointer",
			slip->write ? "wrote" : "read");
}

static void put_frame(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	(void)graded;
	if (slip->name[0])
		text_printf(out, "wrote past the end of the local array %s",
			slip->name);
	else
		text_puts(out, "wrote past the end of a local array");
	text_puts(out, ", which showed when the function returned");
}

static void put_unwritten(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	const char *name = parameter_name(graded, slip);
	const struct value *value =
		&graded->test_case->arguments[slip->parameter];
	char index[128];

	shape_describe_index(value->shape, value->n_axes, (size_t)slip->element,
		index, sizeof(index));
	text_printf(out, "%s%s was never written", name, index);
	if (slip->n_elements > 1)
		text_printf(out, ", nor were %zu more of its ",
			slip->n_elements - 1);
	if (slip->n_elements > 1)
		put_elements(out, slip->size);
}

static void put_kept(struct text *out, const struct case_grade *graded,
	const struct slip *slip)
{
	(void)graded;
	text_printf(out,
		"the answer changes when the function is called again: %s "
		"keeps its value from call to call",
		slip->name);
}

static const struct {
	const char *name;
	put_slip *put;
} kinds[] = {
	[SLIP_ACCESS] = {"access", put_access},
	[SLIP_INDEX] = {"index", put_index},
	[SLIP_UNSET] = {"unset", put_unset},
	[SLIP_BLOCK] = {"block", put_block},
	[SLIP_FREED] = {"use-after-free", put_freed},
	[SLIP_FREE] = {"free", put_free},
	[SLIP_DIVISION] = {"division", put_division},
	[SLIP_POINTER] = {"pointer", put_pointer},
	[SLIP_FRAME] = {"frame", put_frame},
	[SLIP_UNWRITTEN] = {"unwritten", put_unwritten},
	[SLIP_KEPT] = {"kept", put_kept},
};

void slips_put_sentence(
	struct text *out, const struct grade *grade, const struct slip *slip)
{
	kinds[slip->kind].put(out, &grade->cases[slip->case_number], slip);
}

const char *slips_kind_name(enum slip_kind kind)
{
	return kinds[kind].name;
}
