/* SPDX-License-Identifier: MIT */
#include "grader/engine/call_grade.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/crash.h"
#include "grader/engine/fill.h"
#include "grader/engine/precision.h"

struct case_grade call_not_run(const struct test_case *test_case)
{
	return (struct case_grade){
		.name = test_case->name,
		.hidden = test_case->hidden,
		.details = true,
		.verdict = VERDICT_NOT_RUN,
		.function = test_case->function,
		.test_case = test_case,
		.text = "",
	};
}

/* The line of the innermost frame that is the learner's own text. */
static int find_line(struct call_judge *judge, const struct run_result *ended)
{
	uint64_t pc = crash_find_pc(judge->program, ended);

	if (pc == 0)
		return 0;
	if (pc != judge->line_pc) {
		judge->line =
			compile_find_line(judge->program, judge->build, pc);
		judge->line_pc = pc;
	}
	return judge->line;
}

/* Which elements are wrong, of an output that can be drawn as a table. */
static bool mark_elements(struct call_judge *judge, const struct test_case *c,
	const struct value *output, struct case_grade *out, struct error *err)
{
	const struct mismatch *m = &out->mismatch;
	const size_t bytes = type_bytes(m->type);
	unsigned char *states;
	size_t ignored;

	if (m->output >= c->function->n_parameters ||
		c->arguments[m->output].n_axes != 2)
		return true;
	states = arena_alloc(judge->arena, output->count, sizeof(*states), err);
	if (!states)
		return false;
	compare_elements(m->type, &c->expected[m->output],
		&c->tolerance[m->output], output, states);
	for (size_t i = 0; i < output->count; i++)
		if (states[i] != ELEMENT_RIGHT &&
			fill_origin_of(judge->nonce, m->type,
				(const char *)output->data + i * bytes,
				&ignored) == ORIGIN_UNTOUCHED)
			states[i] = ELEMENT_UNWRITTEN;
	out->elements = states;
	return true;
}

/* A repeat has to be right as well. */
static bool grade_returned(struct call_judge *judge, const struct test_case *c,
	const struct call_result *result, struct case_grade *out,
	struct error *err)
{
	const struct mismatch *m = &out->mismatch;
	const struct value *outputs = result->outputs;
	const struct value *output;

	out->mismatch = compare_outputs(
		c->function, c->expected, c->tolerance, outputs);
	for (size_t i = 0; i < result->n_others && !m->found; i++) {
		outputs = result->others[i];
		out->mismatch = compare_outputs(
			c->function, c->expected, c->tolerance, outputs);
	}
	if (!m->found)
		return true;
	out->repeats_differ = result->n_others > 0;
	out->closeness = precision_measure(c->function, c->expected, outputs);
	output = &outputs[m->output];
	out->origin = fill_origin_of(judge->nonce, m->type,
		(const char *)output->data + m->element * type_bytes(m->type),
		&out->origin_parameter);
	return mark_elements(judge, c, output, out, err);
}

bool call_grade(struct call_judge *judge, const struct call_result *result,
	struct case_grade *out, struct error *err)
{
	const struct test_case *c = out->test_case;

	if (result->state == CALL_RETURNED &&
		!grade_returned(judge, c, result, out, err))
		return false;
	out->verdict = verdict_of_call(result, !out->mismatch.found);
	out->cpu_us = result->cpu_us;
	out->text = result->text;
	out->text_len = result->text_len;
	out->text_cut = result->text_cut;
	if (result->state != CALL_ENDED)
		return true;
	out->ended = result->ended;
	out->in_call = result->ended.in_call;
	out->access = result->access;
	out->stack_overflow = crash_is_stack_overflow(
		&out->ended, c->exercise->limits.stack_bytes);
	out->frame_overwritten =
		crash_is_frame_overwritten(judge->program, &out->ended);
	out->line = find_line(judge, &out->ended);
	return true;
}
