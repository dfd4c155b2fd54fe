/* SPDX-License-Identifier: MIT */
#include "grader/engine/explain.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/output.h"
#include "grader/cli/submission.h"
#include "grader/cli/workshop.h"
#include "grader/engine/cases_pattern.h"
#include "grader/engine/small_case.h"
#include "grader/engine/source.h"
#include "grader/report/explained.h"
#include "grader/report/report.h"
#include "grader/report/text.h"

#include <stdio.h>
#include <string.h>

/* So many other seeds are tried for a public case that fails. */
enum { SEEDS_TRIED = 8 };

/* One explanation, while it is put together. */
struct explaining {
	struct invocation *invocation;
	const char *case_name; /* NULL: any */
	struct grade_request request;
	struct tools tools;
	struct report_options how;
	struct grade grade;
	struct explained_view view;
	struct small_case small;
};

/* Which case --------------------------------------------------------------- */

static bool has_failed(const struct case_grade *graded)
{
	return graded->verdict != VERDICT_PASS &&
		graded->verdict != VERDICT_NOT_RUN;
}

static const struct case_grade *find_named(
	const struct grade *grade, const char *name)
{
	for (size_t i = 0; i < grade->n_cases; i++)
		if (strcmp(grade->cases[i].name, name) == 0)
			return &grade->cases[i];
	return NULL;
}

/* The first that failed; with a verdict, with that one. */
static const struct case_grade *find_failed(
	const struct grade *grade, bool hidden, const enum verdict *verdict)
{
	for (size_t i = 0; i < grade->n_cases; i++) {
		const struct case_grade *graded = &grade->cases[i];

		if (graded->hidden == hidden && has_failed(graded) &&
			(!verdict || graded->verdict == *verdict))
			return graded;
	}
	return NULL;
}

/* For a hidden case: a public one with its verdict, of this seed or another.
   Nothing else about the hidden one is used, so nothing else can be told. */
static bool find_public(struct explaining *e, const struct case_grade *hidden,
	struct error *err)
{
	e->view.hidden = hidden;
	e->view.failed = find_failed(&e->grade, false, &hidden->verdict);
	for (int i = 0; i < SEEDS_TRIED && !e->view.failed; i++) {
		struct grade other;

		e->request.seed++;
		if (!grade_submission(&e->request, &e->tools,
			    e->invocation->arena, &other, err))
			return false;
		e->view.failed = find_failed(&other, false, &hidden->verdict);
	}
	return true;
}

static bool choose(struct explaining *e, struct error *err)
{
	const struct case_grade *chosen;

	if (e->case_name)
		chosen = find_named(&e->grade, e->case_name);
	else
		chosen = find_failed(&e->grade, false, NULL);
	if (!chosen && !e->case_name)
		chosen = find_failed(&e->grade, true, NULL);
	if (!chosen)
		return error_set(err, ERROR_USAGE,
			"%s has no case '%.100s'; grader cases %s lists them",
			e->request.exercise->name,
			e->case_name ? e->case_name : "",
			e->request.exercise->name);
	if (!has_failed(chosen))
		return true;
	if (chosen->hidden)
		return find_public(e, chosen, err);
	e->view.failed = chosen;
	return true;
}

/* What comes of it --------------------------------------------------------- */

static bool work_steps(struct explaining *e, struct error *err)
{
	const struct explained_call call = {
		&e->small.test_case, e->small.outputs};

	return !e->small.found || !e->small.outputs ||
		explain_steps(&e->tools, e->request.exercise, &call,
			e->invocation->arena, &e->view.steps, err);
}

static bool write_main(struct explaining *e, struct error *err)
{
	struct arena *arena = e->invocation->arena;
	struct text content = {0};
	bool good;

	if (!e->small.found || !e->invocation->options.main)
		return true;
	e->view.main_file =
		arena_printf(arena, err, "try-%s.c", e->view.failed->name);
	if (!e->view.main_file)
		return false;
	source_put_try_case(&content, &e->small.test_case);
	good = text_check(&content, err) &&
		file_write_atomic(e->view.main_file, content.data, content.len,
			FILE_KEEP, err);
	text_finish(&content);
	return good;
}

static bool write_view(struct explaining *e, struct error *err)
{
	struct text out = {0};
	bool good;

	explained_put(&out, &e->view);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static bool explain_case(struct explaining *e, struct error *err)
{
	const struct small_request request = {&e->request, e->view.failed};

	e->view.grade = &e->grade;
	e->view.options = &e->how;
	e->view.small = &e->small;
	e->view.seed = e->request.seed;
	return small_case_find(&request, &e->tools, e->invocation->arena,
		       &e->small, err) &&
		work_steps(e, err) && write_main(e, err) && write_view(e, err);
}

/* Where there is no case to explain ---------------------------------------- */

static bool say(
	const struct explaining *e, const char *words, struct error *err)
{
	struct text out = {0};
	bool good;

	text_puts(&out, "  ");
	style_put_words(&out, &e->how.style, words);
	text_putc(&out, '\n');
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static bool say_nothing_fails(struct explaining *e, struct error *err)
{
	char words[256];

	if (e->case_name)
		snprintf(words, sizeof(words), "%.100s passes.", e->case_name);
	else
		snprintf(words, sizeof(words),
			"Nothing fails: all %zu cases pass.", e->grade.n_cases);
	return say(e, words, err);
}

/* What the compiler says is explanation enough. */
static bool write_report(struct explaining *e, struct error *err)
{
	struct text out = {0};
	bool good;

	report_put_text(&out, &e->grade, &e->how);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static bool answer(struct explaining *e, struct error *err)
{
	struct invocation *invocation = e->invocation;

	invocation->status = STATUS_NOT_PASSED;
	if (!e->grade.compiled)
		return write_report(e, err);
	if (e->grade.verdict == VERDICT_GRADER_ERROR) {
		invocation->status = STATUS_SYSTEM;
		output_note("the grader failed on some of the cases; this says "
			    "nothing about the submission");
		return true;
	}
	if (e->grade.passed && !e->case_name) {
		invocation->status = STATUS_PASSED;
		return say_nothing_fails(e, err);
	}
	if (!choose(e, err))
		return false;
	if (e->view.failed)
		return explain_case(e, err);
	if (e->view.hidden)
		return say(e,
			"Only hidden cases fail, and no other was found that "
			"does.",
			err);
	invocation->status = STATUS_PASSED;
	return say_nothing_fails(e, err);
}

static bool grade_and_answer(struct explaining *e, struct error *err)
{
	const struct invocation *invocation = e->invocation;

	e->how = (struct report_options){
		.style = invocation->style,
		.exercise = lookup_words(e->invocation, err),
	};
	return e->how.exercise &&
		workshop_check_required(invocation, &e->tools, err) &&
		grade_submission(&e->request, &e->tools, invocation->arena,
			&e->grade, err) &&
		answer(e, err);
}

bool command_explain(struct invocation *invocation, struct error *err)
{
	struct explaining e = {.invocation = invocation};
	struct submission submission;
	struct exercise exercise;
	bool good;

	if (!lookup_exercise(invocation, &exercise, err) ||
		!submission_read(invocation->arena, invocation->arguments[1],
			&submission, err))
		return false;
	if (invocation->n_arguments > 2)
		e.case_name = invocation->arguments[2];
	e.request = (struct grade_request){
		.exercise = &exercise,
		.file = submission.file,
		.source = submission.source,
		.source_len = submission.len,
		.seed = invocation->options.seed_given
			? invocation->options.seed
			: exercise.seed,
		.cases_alone = true,
	};
	if (!submission_read_secret(invocation, &e.request.secret,
		    &e.request.secret_len, err) ||
		!cases_check_pattern(
			&exercise, e.case_name, invocation->arena, err) ||
		!workshop_open(invocation, &e.tools, err))
		return false;
	good = grade_and_answer(&e, err);
	workshop_close(&e.tools);
	return good;
}
