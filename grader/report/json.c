/* SPDX-License-Identifier: MIT */
#include "grader/report/json.h"

#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/report/loss.h"
#include "grader/report/report.h"
#include "grader/report/sentence.h"
#include "grader/report/slips.h"
#include "grader/report/tree.h"

#include <string.h>

struct writer {
	struct tree *tree;
	const struct grade *grade;
	const struct report_options *options;
};

static void put_toolchain(struct writer *w, cJSON *parent)
{
	cJSON *toolchain = tree_object(w->tree, parent, "toolchain");

	tree_string(w->tree, toolchain, "compiler", w->grade->compiler);
	tree_string(w->tree, toolchain, "libc", w->grade->libc);
	tree_string(w->tree, toolchain, "flags", w->grade->flags);
}

static void put_sandbox(struct writer *w, cJSON *parent)
{
	static const char *const states[] = {
		[LAYER_OK] = "ok",
		[LAYER_MISSING] = "missing",
		[LAYER_BROKEN] = "broken",
	};
	const struct layer *layers = w->grade->layers;
	cJSON *sandbox = tree_object(w->tree, parent, "sandbox");
	cJSON *reasons = tree_object(w->tree, parent, "sandbox_reasons");

	for (size_t i = 0; i < w->grade->n_layers; i++) {
		tree_string(w->tree, sandbox, layers[i].name,
			states[layers[i].state]);
		if (layers[i].state != LAYER_OK)
			tree_string(w->tree, reasons, layers[i].name,
				layers[i].reason);
	}
}

static void put_place(
	struct writer *w, cJSON *parent, const char *name, int place)
{
	if (place > 0)
		tree_int(w->tree, parent, name, place);
	else
		tree_null(w->tree, parent, name);
}

static void put_compile(struct writer *w, cJSON *parent)
{
	static const char *const severities[] = {
		[SEVERITY_ERROR] = "error",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_NOTE] = "note",
	};
	cJSON *compile = tree_object(w->tree, parent, "compile");
	cJSON *list;

	tree_bool(w->tree, compile, "ok", w->grade->compiled);
	list = tree_array(w->tree, compile, "diagnostics");
	for (size_t i = 0; i < w->grade->n_diagnostics; i++) {
		const struct diagnostic *d = &w->grade->diagnostics[i];
		cJSON *item = tree_object(w->tree, list, NULL);

		tree_string(w->tree, item, "severity", severities[d->severity]);
		put_place(w, item, "line", d->line);
		put_place(w, item, "column", d->column);
		tree_string(w->tree, item, "message", d->message);
	}
	tree_bool(w->tree, compile, "diagnostics_truncated",
		w->grade->diagnostics_cut);
}

static void put_message(
	struct writer *w, cJSON *parent, const struct case_grade *graded)
{
	struct text message = {0};

	sentence_put_case(&message, w->grade, graded);
	w->tree->failed |= message.failed;
	tree_bytes(w->tree, parent, "message", message.data, message.len);
	text_finish(&message);
}

static void put_line(struct writer *w, cJSON *parent, int line)
{
	cJSON *location;

	if (line <= 0) {
		tree_null(w->tree, parent, "location");
		return;
	}
	location = tree_object(w->tree, parent, "location");
	tree_string(w->tree, location, "file", w->grade->file);
	tree_int(w->tree, location, "line", line);
}

static void put_location(
	struct writer *w, cJSON *parent, const struct case_grade *graded)
{
	put_line(w, parent, graded->details ? graded->line : 0);
}

/* [2, 0]: where a row-major element is; [] of what has no axes. */
static void put_index(struct writer *w, cJSON *parent,
	const struct value *value, size_t element)
{
	cJSON *index = tree_array(w->tree, parent, "index");
	size_t below = 1;

	for (size_t axis = 0; axis < value->n_axes; axis++)
		below *= value->shape[axis];
	for (size_t axis = 0; axis < value->n_axes; axis++) {
		below /= value->shape[axis];
		tree_size(w->tree, index, NULL, element / below);
		element %= below;
	}
}

static void put_whole(struct writer *w, cJSON *parent, const char *name,
	enum value_type type, int64_t number)
{
	if (type == TYPE_BOOL && (number == 0 || number == 1))
		tree_bool(w->tree, parent, name, number);
	else if (type == TYPE_SIZE || type == TYPE_UINT64)
		tree_size(w->tree, parent, name, (uint64_t)number);
	else
		tree_int(w->tree, parent, name, number);
}

static void put_mismatch(
	struct writer *w, cJSON *parent, const struct case_grade *graded)
{
	static const struct value scalar;
	const struct mismatch *m = &graded->mismatch;
	cJSON *item;
	bool result;

	if (!graded->details || !graded->test_case || !m->found ||
		graded->verdict != VERDICT_WRONG_ANSWER) {
		tree_null(w->tree, parent, "mismatch");
		return;
	}
	result = m->output >= graded->function->n_parameters;
	item = tree_object(w->tree, parent, "mismatch");
	tree_string(w->tree, item, "array",
		result ? "result"
		       : graded->function->parameters[m->output].name);
	put_index(w, item,
		result ? &scalar : &graded->test_case->arguments[m->output],
		m->element);
	if (type_is_float(m->type)) {
		tree_real(w->tree, item, "expected", m->expected);
		tree_real(w->tree, item, "got", m->got);
		tree_real(w->tree, item, "error", m->error);
		tree_real(w->tree, item, "tolerance", m->tolerance);
	} else {
		put_whole(w, item, "expected", m->type, m->expected_number);
		put_whole(w, item, "got", m->type, m->got_number);
		tree_null(w->tree, item, "error");
		tree_null(w->tree, item, "tolerance");
	}
}

static void put_rerun(
	struct writer *w, cJSON *parent, const struct case_grade *graded)
{
	struct text command = {0};

	if (graded->hidden) {
		tree_null(w->tree, parent, "rerun");
		return;
	}
	report_put_rerun(&command, w->grade, w->options, graded);
	w->tree->failed |= command.failed;
	tree_bytes(w->tree, parent, "rerun", command.data, command.len);
	text_finish(&command);
}

static void put_case(
	struct writer *w, cJSON *list, const struct case_grade *graded)
{
	cJSON *item = tree_object(w->tree, list, NULL);

	tree_string(w->tree, item, "name", graded->name);
	tree_string(
		w->tree, item, "group", w->grade->groups[graded->group].name);
	tree_string(w->tree, item, "visibility",
		graded->hidden ? "hidden" : "public");
	tree_string(w->tree, item, "verdict", verdict_name(graded->verdict));
	tree_int(w->tree, item, "points", graded->points);
	tree_int(w->tree, item, "max_points", graded->max_points);
	/* A time would tell of hidden inputs whatever a submission likes. */
	if (graded->details)
		tree_size(w->tree, item, "cpu_us", graded->cpu_us);
	else
		tree_null(w->tree, item, "cpu_us");
	put_message(w, item, graded);
	put_location(w, item, graded);
	put_mismatch(w, item, graded);
	if (graded->details) {
		tree_bytes(w->tree, item, "stdout", graded->text,
			graded->text_len);
		tree_bool(w->tree, item, "stdout_truncated", graded->text_cut);
	} else {
		tree_null(w->tree, item, "stdout");
		tree_null(w->tree, item, "stdout_truncated");
	}
	put_rerun(w, item, graded);
}

static void put_slip(struct writer *w, cJSON *list, const struct slip *slip)
{
	cJSON *item = tree_object(w->tree, list, NULL);
	struct text message = {0};

	tree_string(w->tree, item, "kind", slips_kind_name(slip->kind));
	tree_string(
		w->tree, item, "case", w->grade->cases[slip->case_number].name);
	slips_put_sentence(&message, w->grade, slip);
	w->tree->failed |= message.failed;
	tree_bytes(w->tree, item, "message", message.data, message.len);
	text_finish(&message);
	put_line(w, item, slip->line);
}

static void put_precision(struct writer *w, cJSON *parent)
{
	const struct precision *precision = &w->grade->precision;
	struct text message = {0};
	cJSON *item;

	if (precision->loss == PRECISION_KEPT) {
		tree_null(w->tree, parent, "precision");
		return;
	}
	item = tree_object(w->tree, parent, "precision");
	loss_put_sentence(&message, precision);
	w->tree->failed |= message.failed;
	tree_bytes(w->tree, item, "message", message.data, message.len);
	text_finish(&message);
	put_line(w, item, precision->line);
}

static void put_diagnosis(struct writer *w, cJSON *parent)
{
	const struct diagnosis *diagnosis = &w->grade->diagnosis;
	cJSON *list = tree_array(w->tree, parent, "diagnosis");

	for (size_t i = 0; i < diagnosis->n_findings; i++) {
		const struct finding *finding = &diagnosis->findings[i];
		cJSON *item = tree_object(w->tree, list, NULL);
		cJSON *also;

		tree_string(w->tree, item, "mistake", finding->mistake->name);
		tree_string(w->tree, item, "family", finding->mistake->family);
		tree_string(w->tree, item, "says", finding->mistake->says);
		tree_size(w->tree, item, "matched", finding->cases);
		tree_size(w->tree, item, "of", finding->of);
		tree_size(w->tree, item, "hint", finding->mistake->hint);
		also = tree_array(w->tree, item, "also");
		for (size_t a = 0; a < finding->n_also; a++)
			tree_string(
				w->tree, also, NULL, finding->also[a]->name);
	}
}

static void put_hints(struct writer *w, cJSON *parent)
{
	const struct exercise *exercise = w->grade->exercise;
	cJSON *list = tree_array(w->tree, parent, "hints");

	for (size_t i = 0; i < exercise->n_hints; i++) {
		cJSON *item = tree_object(w->tree, list, NULL);

		tree_size(w->tree, item, "number", i + 1);
		tree_string(w->tree, item, "title", exercise->hints[i].title);
		tree_bool(
			w->tree, item, "opened", i < w->options->hints_opened);
	}
}

static void put_score(struct writer *w, cJSON *parent)
{
	if (w->grade->scored) {
		tree_int(w->tree, parent, "score", w->grade->score);
		tree_int(w->tree, parent, "max_score", w->grade->max_score);
	} else {
		tree_null(w->tree, parent, "score");
		tree_null(w->tree, parent, "max_score");
	}
	tree_bool(w->tree, parent, "passed", w->grade->passed);
}

static void put_report(struct writer *w)
{
	const struct grade *grade = w->grade;
	struct tree *tree = w->tree;
	cJSON *cases, *slips;

	tree_string(tree, tree->root, "schema", "grader/report/1");
	tree_string(tree, tree->root, "exercise", grade->exercise->name);
	tree_string(tree, tree->root, "exercise_hash", grade->exercise->hash);
	tree_string(tree, tree->root, "title", grade->exercise->title);
	tree_string(tree, tree->root, "file", grade->file);
	tree_string(tree, tree->root, "source_hash", grade->source_hash);
	tree_size(tree, tree->root, "seed", grade->seed);
	tree_string(tree, tree->root, "verdict", verdict_name(grade->verdict));
	put_score(w, tree->root);
	put_toolchain(w, tree->root);
	put_sandbox(w, tree->root);
	put_compile(w, tree->root);
	cases = tree_array(tree, tree->root, "cases");
	for (size_t i = 0; i < grade->n_cases; i++)
		put_case(w, cases, &grade->cases[i]);
	put_diagnosis(w, tree->root);
	put_precision(w, tree->root);
	slips = tree_array(tree, tree->root, "slips");
	for (size_t i = 0; i < grade->n_slips; i++)
		put_slip(w, slips, &grade->slips[i]);
	if (grade->explanation)
		tree_string(
			tree, tree->root, "explanation", grade->explanation);
	put_hints(w, tree->root);
	tree_size(tree, tree->root, "duration_ms", grade->duration_us / 1000);
}

bool report_put_json(struct text *out, const struct grade *grade,
	const struct report_options *options, struct error *err)
{
	struct tree tree;
	struct writer writer = {&tree, grade, options};
	bool good;

	if (!tree_start(&tree, err))
		return false;
	put_report(&writer);
	good = tree_write(&tree, true, out, err);
	tree_finish(&tree);
	return good;
}
