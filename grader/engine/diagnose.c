/* SPDX-License-Identifier: MIT */
#include "grader/engine/diagnose.h"

#include "base/arena.h"
#include "grader/engine/fill.h"
#include "grader/engine/mistakes.h"
#include "grader/engine/run.h"

#include <string.h>

struct diagnosing {
	const struct diagnose_request *request;
	const struct tools *tools;
	struct arena *arena;
	struct evidence *evidence; /* formula first */
	struct call *calls;
	size_t count;
	size_t n_formula;
	size_t of_formula; /* cases that there are of it */
};

/* Evidence ----------------------------------------------------------------- */

static void add_cases(struct diagnosing *d, bool formula)
{
	const struct case_list *cases = d->request->cases;

	for (size_t c = 0; c < cases->count && d->count < EVIDENCE_MAX; c++) {
		const struct test_case *test_case = &cases->cases[c];
		const struct group *group = test_case->group;

		if (test_case->hidden ||
			!(formula ? group->formula
				  : group->range && !group->formula))
			continue;
		d->calls[d->count] = (struct call){
			.function = test_case->function,
			.function_index = (uint32_t)test_case->function_index,
			.arguments = test_case->arguments,
			.repeat = 1,
			.finite = true,
		};
		d->evidence[d->count++] = (struct evidence){
			.test_case = test_case, .formula = formula};
	}
}

/* What was computed from memory that was never set is no evidence: it is NaN
   here, and would be some number elsewhere. */
static bool is_from_unset_memory(const struct function *function,
	const struct call_result *result, uint32_t nonce)
{
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct value *output = &result->outputs[p];
		enum value_type type = function->parameters[p].type;
		size_t ignored;

		if (!output->data || !type_is_float(type))
			continue;
		for (size_t i = 0; i < output->count; i++)
			if (fill_origin_of(nonce, type,
				    (const char *)output->data +
					    i * type_bytes(type),
				    &ignored) != ORIGIN_COMPUTED)
				return true;
	}
	return false;
}

/*
 * A case that did not return tells nothing of the formula; where most did, they
 * have to do.  Those of the range go when one of them did not: a set of
 * mistakes that leaves one open would be said too soon.
 */
static void take_results(
	struct diagnosing *d, const struct run_outcome *outcome)
{
	size_t kept = 0, n_formula = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct call_result *result = &outcome->results[i];
		bool tells = result->state == CALL_RETURNED &&
			!is_from_unset_memory(
				d->calls[i].function, result, outcome->nonce);

		if (tells) {
			d->evidence[kept] = d->evidence[i];
			d->evidence[kept++].outputs = result->outputs;
		} else if (i >= d->n_formula) {
			kept = n_formula;
			break;
		}
		if (i < d->n_formula)
			n_formula = kept;
	}
	d->count = 2 * n_formula < d->n_formula ? 0 : kept;
	d->n_formula = n_formula;
}

static bool gather(struct diagnosing *d, struct error *err)
{
	const struct diagnose_request *request = d->request;
	size_t room = request->cases->count;
	struct run_outcome outcome;

	d->calls = arena_alloc(d->arena, room, sizeof(*d->calls), err);
	if (!d->calls)
		return false;
	d->evidence = arena_alloc(d->arena, room, sizeof(*d->evidence), err);
	if (!d->evidence)
		return false;
	add_cases(d, true);
	d->n_formula = d->of_formula = d->count;
	add_cases(d, false);
	if (d->n_formula == 0) {
		d->count = 0;
		return true;
	}
	if (!run_calls(d->tools,
		    &(struct run_job){request->program,
			    &request->exercise->limits, d->calls, d->count},
		    d->arena, &outcome, err))
		return false;
	take_results(d, &outcome);
	return true;
}

/* Findings ----------------------------------------------------------------- */

static size_t count_made(const struct mistake_set *set, size_t n_stages)
{
	size_t n = 0;

	for (size_t s = 0; s < n_stages; s++)
		n += set->choice[s] != 0;
	return n;
}

/* Whether the other makes another mistake in the place of this stage's, and all
   else alike. */
static bool stands_for(const struct mistake_set *set,
	const struct mistake_set *other, size_t stage, size_t n_stages,
	size_t *stage_out)
{
	size_t made = count_made(set, n_stages);
	bool found = false;

	if (count_made(other, n_stages) != made)
		return false;
	for (size_t s = 0; s < n_stages; s++) {
		int mine = s == stage ? 0 : set->choice[s];

		if (other->choice[s] == mine)
			continue;
		if (mine != 0 || found)
			return false;
		found = true;
		*stage_out = s;
	}
	return found;
}

static bool add_others(const struct diagnosing *d, struct finding *finding,
	const struct mistake_set *sets, size_t n_sets, size_t stage,
	struct error *err)
{
	const struct exercise *exercise = d->request->exercise;

	finding->also = arena_alloc(
		d->arena, n_sets, sizeof(const struct mistake *), err);
	if (!finding->also)
		return false;
	for (size_t i = 1; i < n_sets; i++) {
		size_t s = 0;

		if (stands_for(
			    &sets[0], &sets[i], stage, exercise->n_stages, &s))
			finding->also[finding->n_also++] =
				&exercise->stages[s]
					 .mistakes[sets[i].choice[s] - 1];
	}
	return true;
}

/* The first set is the likeliest. */
static bool find(const struct diagnosing *d, const struct mistake_set *sets,
	size_t n_sets, struct diagnosis *out, struct error *err)
{
	const struct exercise *exercise = d->request->exercise;
	struct finding *findings = arena_alloc(
		d->arena, exercise->n_stages, sizeof(*findings), err);

	if (!findings)
		return false;
	out->findings = findings;
	for (size_t s = 0; s < exercise->n_stages; s++) {
		int choice = sets[0].choice[s];
		struct finding *finding = &findings[out->n_findings];

		if (choice == 0)
			continue;
		finding->mistake = &exercise->stages[s].mistakes[choice - 1];
		finding->cases = finding->mistake->range
			? d->count - d->n_formula
			: d->n_formula;
		finding->of = finding->mistake->range ? finding->cases
						      : d->of_formula;
		out->n_findings++;
		if (!add_others(d, finding, sets, n_sets, s, err))
			return false;
	}
	return true;
}

bool diagnose_mistakes(const struct diagnose_request *request,
	const struct tools *tools, struct arena *arena,
	struct diagnosis *diagnosis_out, struct error *err)
{
	struct diagnosing d = {
		.request = request, .tools = tools, .arena = arena};
	struct mistake_request known = {.exercise = request->exercise};
	struct mistake_search search;

	*diagnosis_out = (struct diagnosis){0};
	if (request->exercise->n_stages == 0)
		return true;
	if (!gather(&d, err))
		return false;
	if (d.count == 0)
		return true;
	known.evidence = d.evidence;
	known.count = d.count;
	if (!mistakes_search(&known, tools, arena, &search, err))
		return false;
	if (search.n_all > 0)
		return find(&d, search.all, search.n_all, diagnosis_out, err);
	return search.n_formula == 0 ||
		find(&d, search.formula, search.n_formula, diagnosis_out, err);
}
