/* SPDX-License-Identifier: MIT */
#include "grader/engine/small_case.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/call_grade.h"
#include "grader/engine/cases_programs.h"
#include "grader/engine/exercise_program.h"
#include "grader/engine/shrink.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"

#include <math.h>
#include <string.h>

enum { REPEAT_TRIED = 3 }; /* of a case that does not fail alone */

/* How much is tried: what a process survives costs little, what kills one needs
   the next, and what goes up to a limit takes long. */
struct effort {
	size_t rounds;
	size_t candidates; /* in a round, the first of them */
};

static struct effort effort_for(enum verdict verdict)
{
	const struct effort returned = {400, SIZE_MAX};
	const struct effort ended = {150, 8};
	const struct effort limit = {10, 1};

	if (verdict == VERDICT_WRONG_ANSWER)
		return returned;
	return verdict == VERDICT_RUNTIME_ERROR ||
			verdict == VERDICT_SECURITY_VIOLATION
		? ended
		: limit;
}

/* What is known while a case is made smaller. */
struct search {
	const struct small_request *request;
	const struct tools *tools;
	struct arena *arena;
	struct text header;
	struct text shim;
	struct build_request build_request;
	struct build build;
	struct exercise_program reference;
	struct exercise_limits limits;
	struct small_case best;
};

/* The same way ------------------------------------------------------------- */

enum number_class { CLASS_NUMBER, CLASS_NAN, CLASS_INFINITE };

static enum number_class class_of(double number)
{
	if (isnan(number))
		return CLASS_NAN;
	return isinf(number) ? CLASS_INFINITE : CLASS_NUMBER;
}

static bool same_mismatch(
	const struct case_grade *a, const struct case_grade *b)
{
	const struct mismatch *one = &a->mismatch;
	const struct mismatch *other = &b->mismatch;

	if (one->output != other->output || a->origin != b->origin ||
		one->lost_precision != other->lost_precision)
		return false;
	return !type_is_float(one->type) ||
		class_of(one->got) == class_of(other->got);
}

static bool same_end(const struct case_grade *a, const struct case_grade *b)
{
	return a->ended.end == b->ended.end &&
		a->ended.signal == b->ended.signal && a->line == b->line &&
		a->in_call == b->in_call &&
		a->stack_overflow == b->stack_overflow &&
		a->frame_overwritten == b->frame_overwritten &&
		a->access.known == b->access.known &&
		a->access.write == b->access.write &&
		a->access.parameter == b->access.parameter &&
		a->access.to_input == b->access.to_input;
}

bool small_case_same(const struct case_grade *a, const struct case_grade *b)
{
	if (a->verdict != b->verdict)
		return false;
	if (a->verdict == VERDICT_WRONG_ANSWER)
		return same_mismatch(a, b);
	return a->verdict == VERDICT_PASS || same_end(a, b);
}

/* Running ------------------------------------------------------------------ */

static bool build(struct search *s, struct error *err)
{
	const struct grade_request *grade = s->request->grade;
	const struct exercise *exercise = grade->exercise;

	source_put_header(&s->header, exercise);
	source_put_shim(&s->shim, exercise->functions, exercise->n_functions);
	if (!text_check(&s->header, err) || !text_check(&s->shim, err))
		return false;
	s->build_request = (struct build_request){
		.kind = BUILD_LEARNER,
		.source_name = "solve.c",
		.source = grade->source,
		.source_len = grade->source_len,
		.header_name = "solve.h",
		.header = s->header.data,
		.header_len = s->header.len,
		.shim = s->shim.data,
		.shim_len = s->shim.len,
		.functions = exercise->functions,
		.n_functions = exercise->n_functions,
	};
	if (!compile_program(
		    s->tools, &s->build_request, s->arena, &s->build, err))
		return false;
	return s->build.ok ||
		error_set(err, ERROR_SYSTEM,
			"the submission compiled once, but not again");
}

static bool run_case(const struct search *s, const struct test_case *cases,
	size_t count, struct arena *arena, struct run_outcome *out,
	struct error *err)
{
	struct call *calls = arena_alloc(arena, count, sizeof(*calls), err);

	if (!calls)
		return false;
	for (size_t i = 0; i < count; i++)
		calls[i] = (struct call){
			.function = cases[i].function,
			.function_index = (uint32_t)cases[i].function_index,
			.arguments = cases[i].arguments,
			.repeat = cases[i].repeat,
		};
	return run_calls(s->tools,
		&(struct run_job){&s->build.program, &s->limits, calls, count},
		arena, out, err);
}

/* What came of one call; false is an error of ours. */
static bool judge(const struct search *s, const struct run_outcome *outcome,
	size_t i, struct arena *arena, struct case_grade *graded,
	struct error *err)
{
	struct call_judge of = {
		.program = &s->build.program,
		.build = &s->build_request,
		.nonce = outcome->nonce,
		.arena = arena,
	};

	return call_grade(&of, &outcome->results[i], graded, err);
}

static bool fails_so(const struct search *s, const struct case_grade *graded)
{
	return small_case_same(graded, s->request->failed);
}

/* In a process of its own; *out is set if it fails as it should. */
static bool run_alone(const struct search *s, const struct test_case *test_case,
	struct arena *arena, struct small_case *out, struct error *err)
{
	struct run_outcome outcome;
	struct small_case alone = {.test_case = *test_case};

	alone.graded = call_not_run(test_case);
	if (!run_case(s, test_case, 1, arena, &outcome, err) ||
		!judge(s, &outcome, 0, arena, &alone.graded, err))
		return false;
	alone.found = fails_so(s, &alone.graded);
	alone.outputs = outcome.results[0].outputs;
	if (alone.found && outcome.results[0].n_others > 0)
		alone.outputs = outcome.results[0].others[0];
	*out = alone;
	return true;
}

/* Candidates --------------------------------------------------------------- */

static bool make_case(const struct search *s,
	const struct shrink_case *candidate, struct arena *arena,
	struct test_case *out, struct error *err)
{
	size_t n = s->request->failed->function->n_parameters;

	*out = *s->request->failed->test_case;
	out->arguments = candidate->arguments;
	out->repeat = candidate->repeat;
	out->expected = arena_alloc(arena, n + 1, sizeof(*out->expected), err);
	out->tolerance =
		arena_alloc(arena, n + 1, sizeof(*out->tolerance), err);
	return out->expected && out->tolerance;
}

/* Of the candidates those that the reference has an answer for. */
struct referred {
	struct case_list list;
	size_t *numbers; /* which candidate each of them is */
};

static bool refer(const struct search *s, const struct shrink_case *candidates,
	size_t count, struct arena *arena, struct referred *out,
	struct error *err)
{
	struct case_list *list = &out->list;
	bool *allowed = arena_alloc(arena, count, sizeof(*allowed), err);
	struct case_list all = {
		arena_alloc(arena, count, sizeof(*all.cases), err), count};

	out->numbers = arena_alloc(arena, count, sizeof(*out->numbers), err);
	if (!allowed || !all.cases || !out->numbers)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!make_case(s, &candidates[i], arena, &all.cases[i], err))
			return false;
	if (!cases_refer_allowed(&s->reference, &all, arena, allowed, err))
		return false;
	list->cases = all.cases;
	list->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!allowed[i])
			continue;
		out->numbers[list->count] = i;
		list->cases[list->count++] = all.cases[i];
	}
	return true;
}

/* All candidates share a process, to be quick.  So one that seems to fail may
   do so for what another has left behind: it is run again, alone. */
static bool test(void *context, const struct shrink_case *candidates,
	size_t count, struct arena *arena, size_t *found_out, struct error *err)
{
	const struct search *s = context;
	size_t most = effort_for(s->request->failed->verdict).candidates;
	size_t tried = count < most ? count : most;
	struct run_outcome outcome;
	struct referred referred;
	const struct case_list *list = &referred.list;

	*found_out = count;
	if (!refer(s, candidates, tried, arena, &referred, err))
		return false;
	if (list->count == 0)
		return true;
	if (!run_case(s, list->cases, list->count, arena, &outcome, err))
		return false;
	for (size_t i = 0; i < list->count; i++) {
		struct case_grade graded = call_not_run(&list->cases[i]);
		struct small_case alone = {.found = true};

		if (!judge(s, &outcome, i, arena, &graded, err))
			return false;
		if (!fails_so(s, &graded))
			continue;
		if (list->count > 1 &&
			!run_alone(s, &list->cases[i], arena, &alone, err))
			return false;
		if (!alone.found)
			continue;
		*found_out = referred.numbers[i];
		return true;
	}
	return true;
}

/* All of it ---------------------------------------------------------------- */

/* How often it has to be called to fail with nobody in front of it; 0: it does
   not. */
static bool find_repeat(struct search *s, size_t *repeat_out, struct error *err)
{
	struct test_case again = *s->request->failed->test_case;
	size_t most = again.repeat > REPEAT_TRIED ? again.repeat : REPEAT_TRIED;

	*repeat_out = 0;
	for (; again.repeat <= most; again.repeat++) {
		struct small_case alone;

		if (!run_alone(s, &again, s->arena, &alone, err))
			return false;
		if (!alone.found)
			continue;
		*repeat_out = again.repeat;
		return true;
	}
	return true;
}

/* The smallest one again, for all there is to tell of it. */
static bool finish(
	struct search *s, const struct shrink_case *smallest, struct error *err)
{
	struct referred referred;

	if (!refer(s, smallest, 1, s->arena, &referred, err))
		return false;
	return referred.list.count == 0 ||
		run_alone(s, &referred.list.cases[0], s->arena, &s->best, err);
}

static bool search(struct search *s, struct error *err)
{
	const struct grade_request *grade = s->request->grade;
	const struct case_grade *failed = s->request->failed;
	struct shrink_request shrinking = {
		.function = failed->function,
		.start = {.arguments = failed->test_case->arguments},
		.test = test,
		.context = s,
		.rounds_max = effort_for(failed->verdict).rounds,
	};
	struct shrink_case smallest;

	if (!build(s, err) || !find_repeat(s, &shrinking.start.repeat, err))
		return false;
	if (shrinking.start.repeat == 0)
		return true;
	return cases_reference_open(grade->exercise, s->tools, s->arena,
		       &s->reference, err) &&
		shrink(&shrinking, s->arena, &smallest, err) &&
		finish(s, &smallest, err);
}

bool small_case_find(const struct small_request *request,
	const struct tools *tools, struct arena *arena, struct small_case *out,
	struct error *err)
{
	struct search s = {
		.request = request,
		.tools = tools,
		.arena = arena,
		.build = {.program = {.fd = -1}},
		.reference = {.program = {.fd = -1}},
		.limits = request->grade->exercise->limits,
	};
	bool good = search(&s, err);

	program_finish(&s.build.program);
	program_finish(&s.reference.program);
	text_finish(&s.header);
	text_finish(&s.shim);
	if (good)
		*out = s.best;
	return good;
}
