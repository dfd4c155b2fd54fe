/* SPDX-License-Identifier: MIT */
#include "grader/engine/grade.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/call_grade.h"
#include "grader/engine/explain.h"
#include "grader/engine/hash.h"
#include "grader/engine/places.h"
#include "grader/engine/slips.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"

#include <poll.h>

/* explain.c is asked about one wrong case of each of so many groups. */
enum { EXPLAINED_MAX = 8 };

/* What is known of a grading while it goes on. */
struct grading {
	const struct grade_request *request;
	const struct tools *tools;
	struct arena *arena;
	struct case_list cases;
	struct text header; /* what the build request points to */
	struct text shim;
	struct build_request build_request;
	struct build build;
	size_t *order; /* calls in the order of their batches: case numbers */
	struct call *calls;
	struct run_outcome outcome;
	struct case_grade *case_grades;
	struct group_grade *group_grades;
	size_t n_groups;
	struct diagnosis diagnosis;
	const char *explanation;
};

static bool write_texts(struct grading *g, struct error *err)
{
	const struct exercise *exercise = g->request->exercise;

	source_put_header(&g->header, exercise);
	source_put_shim(&g->shim, exercise->functions, exercise->n_functions);
	return text_check(&g->header, err) && text_check(&g->shim, err);
}

static bool compile(struct grading *g, struct error *err)
{
	const struct exercise *exercise = g->request->exercise;

	if (!write_texts(g, err))
		return false;
	g->build_request = (struct build_request){
		.kind = BUILD_LEARNER,
		.source_name = "solve.c",
		.source = g->request->source,
		.source_len = g->request->source_len,
		.header_name = "solve.h",
		.header = g->header.data,
		.header_len = g->header.len,
		.shim = g->shim.data,
		.shim_len = g->shim.len,
		.functions = exercise->functions,
		.n_functions = exercise->n_functions,
	};
	return compile_program(
		g->tools, &g->build_request, g->arena, &g->build, err);
}

/* Public cases share a process; each hidden group has its own. */
static uint32_t batch_of(const struct test_case *test_case)
{
	const struct exercise *exercise = test_case->exercise;

	if (!test_case->hidden)
		return 0;
	return (uint32_t)(test_case->group - exercise->groups) + 1;
}

/* The calls of a batch have to stand together: a stable sort by batch. */
static void order_calls(struct grading *g)
{
	size_t n = 0;
	size_t n_batches = g->request->exercise->n_groups + 1;

	for (uint32_t batch = 0; batch < n_batches; batch++) {
		for (size_t c = 0; c < g->cases.count; c++) {
			if (batch_of(&g->cases.cases[c]) == batch)
				g->order[n++] = c;
		}
	}
}

static bool run(struct grading *g, struct error *err)
{
	const struct exercise *exercise = g->request->exercise;
	size_t count = g->cases.count;

	g->order = arena_alloc(g->arena, count, sizeof(*g->order), err);
	if (!g->order)
		return false;
	g->calls = arena_alloc(g->arena, count, sizeof(*g->calls), err);
	if (!g->calls)
		return false;
	order_calls(g);
	for (size_t i = 0; i < count; i++) {
		const struct test_case *c = &g->cases.cases[g->order[i]];

		g->calls[i] = (struct call){
			.function = c->function,
			.function_index = (uint32_t)c->function_index,
			.arguments = c->arguments,
			.repeat = c->repeat,
			.batch = batch_of(c),
		};
	}
	return run_calls(g->tools,
		&(struct run_job){
			&g->build.program, &exercise->limits, g->calls, count},
		g->arena, &g->outcome, err);
}

/*
 * The points of a group that gives all or nothing are spread over its cases,
 * the first ones getting what does not divide, so that every report can add
 * up cases and come to the same sum.
 */
static int points_of_case(const struct group *group, size_t at, size_t count)
{
	int n = (int)count;

	if (!group->all_or_nothing)
		return group->points;
	return group->points / n + ((int)at < group->points % n);
}

static void grade_group(struct grading *g, const struct group *group)
{
	struct group_grade out = {
		.name = group->name,
		.title = group->title,
		.hidden = group->hidden,
	};
	struct case_grade *cases = NULL;
	bool give;

	for (size_t c = 0; c < g->cases.count; c++) {
		if (g->cases.cases[c].group != group)
			continue;
		if (!cases)
			cases = &g->case_grades[c];
		g->case_grades[c].group = g->n_groups;
		out.n_cases++;
		out.n_passed += g->case_grades[c].verdict == VERDICT_PASS;
	}
	if (!cases)
		return;
	give = !group->all_or_nothing || out.n_passed == out.n_cases;
	/* The cases of a group stand together, as in exercise.json. */
	for (size_t i = 0; i < out.n_cases; i++) {
		cases[i].max_points = points_of_case(group, i, out.n_cases);
		if (give && cases[i].verdict == VERDICT_PASS)
			cases[i].points = cases[i].max_points;
		out.points += cases[i].points;
		out.max_points += cases[i].max_points;
	}
	g->group_grades[g->n_groups++] = out;
}

static bool grade_cases(struct grading *g, struct error *err)
{
	const struct exercise *exercise = g->request->exercise;
	struct call_judge judge = {
		.program = &g->build.program,
		.build = &g->build_request,
		.nonce = g->outcome.nonce,
		.arena = g->arena,
	};

	g->case_grades = arena_alloc(
		g->arena, g->cases.count, sizeof(*g->case_grades), err);
	if (!g->case_grades)
		return false;
	g->group_grades = arena_alloc(
		g->arena, exercise->n_groups, sizeof(*g->group_grades), err);
	if (!g->group_grades)
		return false;
	for (size_t c = 0; c < g->cases.count; c++)
		g->case_grades[c] = call_not_run(&g->cases.cases[c]);
	for (size_t i = 0; g->build.ok && i < g->cases.count; i++)
		if (!call_grade(&judge, &g->outcome.results[i],
			    &g->case_grades[g->order[i]], err))
			return false;
	for (size_t i = 0; i < exercise->n_groups; i++)
		grade_group(g, &exercise->groups[i]);
	return true;
}

/* Of public cases alone, so that nothing is said of hidden ones. */
static bool has_wrong_answer(const struct grading *g)
{
	for (size_t c = 0; c < g->cases.count; c++) {
		if (!g->case_grades[c].hidden &&
			g->case_grades[c].verdict == VERDICT_WRONG_ANSWER)
			return true;
	}
	return false;
}

static bool diagnose(struct grading *g, struct error *err)
{
	const struct diagnose_request request = {
		.exercise = g->request->exercise,
		.program = &g->build.program,
		.cases = &g->cases,
	};

	return !g->build.ok || !has_wrong_answer(g) ||
		diagnose_mistakes(
			&request, g->tools, g->arena, &g->diagnosis, err);
}

/* The outputs that are wrong: a repeat's, where the first call was right. */
static const struct value *wrong_outputs(
	const struct test_case *c, const struct call_result *result)
{
	const struct mismatch first = compare_outputs(
		c->function, c->expected, c->tolerance, result->outputs);

	return first.found || result->n_others == 0 ? result->outputs
						    : result->others[0];
}

/* The first wrong case of each group; what hidden ones tell stays hidden. */
static bool explain(struct grading *g, struct error *err)
{
	struct explained_call wrong[EXPLAINED_MAX];
	struct explain_request request = {
		.exercise = g->request->exercise,
		.program = &g->build.program,
		.seed = g->request->seed,
		.wrong = wrong,
	};
	const struct group *group = NULL;

	if (!g->build.ok)
		return true;
	for (size_t i = 0;
		i < g->cases.count && request.n_wrong < EXPLAINED_MAX; i++) {
		const struct test_case *c = &g->cases.cases[g->order[i]];

		if (g->case_grades[g->order[i]].verdict !=
				VERDICT_WRONG_ANSWER ||
			c->hidden || c->group == group)
			continue;
		group = c->group;
		wrong[request.n_wrong++] = (struct explained_call){
			c, wrong_outputs(c, &g->outcome.results[i])};
	}
	return explain_failure(
		g->tools, &request, g->arena, &g->explanation, err);
}

static enum verdict overall(const struct grading *g)
{
	enum verdict worst = VERDICT_PASS;

	if (g->cases.count == 0)
		return VERDICT_GRADER_ERROR;
	if (!g->build.ok)
		return VERDICT_COMPILE_ERROR;
	for (size_t c = 0; c < g->cases.count; c++) {
		const enum verdict both[] = {worst, g->case_grades[c].verdict};

		worst = verdict_of_all(both, 2);
	}
	return worst;
}

static void summarise(const struct grading *g, struct grade *out)
{
	const struct grade_request *request = g->request;
	struct hash hash;

	*out = (struct grade){
		.exercise = request->exercise,
		.file = request->file,
		.source = request->source,
		.source_len = request->source_len,
		.seed = request->seed,
		.pattern = request->pattern,
		.audience = AUDIENCE_STAFF,
		.verdict = overall(g),
		.scored = !request->pattern,
		.compiler = g->tools->toolchain.compiler,
		.libc = g->tools->toolchain.libc_name,
		.flags = g->tools->toolchain.flags,
		.compiled = g->build.ok,
		.diagnostics = g->build.diagnostics,
		.n_diagnostics = g->build.n_diagnostics,
		.diagnostics_cut = g->build.diagnostics_cut,
		.groups = g->group_grades,
		.n_groups = g->n_groups,
		.cases = g->case_grades,
		.n_cases = g->cases.count,
		.diagnosis = g->diagnosis,
		.explanation = g->explanation,
		.limits = &request->exercise->limits,
		.memory_peak_kib = g->outcome.memory_peak_kib,
	};
	hash_init(&hash);
	hash_add(&hash, request->source, request->source_len);
	hash_hex(&hash, out->source_hash);
	out->layers = sandbox_layers(g->tools->sandbox, &out->n_layers);
	out->passed = out->verdict == VERDICT_PASS;
	for (size_t i = 0; i < g->n_groups; i++) {
		out->score += g->group_grades[i].points;
		out->max_score += g->group_grades[i].max_points;
	}
}

/* A mistake that was named is a better reason for a small error. */
static bool find_lost_precision(
	struct grading *g, struct grade *out, struct error *err)
{
	struct places places;

	if (out->passed || !g->build.ok || g->diagnosis.n_findings > 0)
		return true;
	if (!places_read(&places, out->source, out->source_len, g->arena, err))
		return false;
	out->precision = precision_find(g->case_grades, g->cases.count, &places,
		ctoken_has_line_directive(out->source, out->source_len));
	return true;
}

static bool is_cancelled(const struct tools *tools)
{
	struct pollfd cancel = {.fd = tools->cancel, .events = POLLIN};

	return tools->cancel >= 0 && poll(&cancel, 1, 0) > 0;
}

/*
 * What it does wrong with memory is words: that it cannot be looked for is no
 * reason to have no grade, but that somebody wants to stop is.
 */
static bool find_slips(struct grading *g, struct grade *out, struct error *err)
{
	const struct slips_request request = {
		.exercise = g->request->exercise,
		.build = &g->build_request,
		.cases = g->case_grades,
		.n_cases = g->cases.count,
	};
	struct slips slips = {0};

	if (out->passed || !g->build.ok || out->verdict == VERDICT_GRADER_ERROR)
		return true;
	if (!slips_find(&request, g->tools, g->arena, &slips, err))
		return !is_cancelled(g->tools);
	out->slips = slips.items;
	out->n_slips = slips.count;
	out->renumbered = slips.renumbered;
	return true;
}

static bool grade(struct grading *g, struct grade *out, struct error *err)
{
	const struct case_request cases = {
		.exercise = g->request->exercise,
		.seed = g->request->seed,
		.secret = g->request->secret,
		.secret_len = g->request->secret_len,
		.pattern = g->request->pattern,
	};

	/* The exercise first: its faults are nobody's verdict. */
	if (!cases_prepare(&cases, g->tools, g->arena, &g->cases, err) ||
		!compile(g, err))
		return false;
	if (g->build.ok && !run(g, err))
		return false;
	if (!grade_cases(g, err))
		return false;
	if (g->request->cases_alone) {
		summarise(g, out);
		return true;
	}
	if (!diagnose(g, err) || !explain(g, err))
		return false;
	summarise(g, out);
	return find_lost_precision(g, out, err) && find_slips(g, out, err);
}

bool grade_submission(const struct grade_request *request,
	const struct tools *tools, struct arena *arena, struct grade *grade_out,
	struct error *err)
{
	struct grading g = {
		.request = request,
		.tools = tools,
		.arena = arena,
		.build = {.program = {.fd = -1}},
	};
	uint64_t started_us = clock_read_us(CLOCK_MONOTONIC);
	bool done = grade(&g, grade_out, err);

	program_finish(&g.build.program);
	text_finish(&g.header);
	text_finish(&g.shim);
	if (done)
		grade_out->duration_us =
			clock_read_us(CLOCK_MONOTONIC) - started_us;
	return done;
}

/*
 * All that is left of a hidden case for its learner.  How long it took, how it
 * died and what it printed could each carry out what the inputs were.
 */
static struct case_grade without_details(const struct case_grade *c)
{
	return (struct case_grade){
		.name = c->name,
		.group = c->group,
		.hidden = true,
		.verdict = c->verdict,
		.points = c->points,
		.max_points = c->max_points,
		.function = c->function,
		.text = "",
	};
}

bool grade_for(enum audience audience, const struct grade *grade,
	struct arena *arena, struct grade *out, struct error *err)
{
	struct case_grade *cases =
		arena_alloc(arena, grade->n_cases, sizeof(*cases), err);
	struct grade copy = *grade;

	if (!cases)
		return false;
	copy.audience = audience;
	for (size_t c = 0; c < grade->n_cases; c++) {
		cases[c] = grade->cases[c];
		if (audience == AUDIENCE_STAFF || !cases[c].hidden)
			continue;
		cases[c] = without_details(&grade->cases[c]);
		/* The peak may be a hidden case's. */
		copy.memory_peak_kib = 0;
	}
	copy.cases = cases;
	*out = copy;
	return true;
}
