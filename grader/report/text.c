/* SPDX-License-Identifier: MIT */
#include "grader/report/text.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/report/excerpt.h"
#include "grader/report/fold.h"
#include "grader/report/loss.h"
#include "grader/report/picture.h"
#include "grader/report/report.h"
#include "grader/report/sentence.h"
#include "grader/report/slips.h"
#include "grader/report/style.h"
#include "grader/report/text_writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* So that a report without --verbose fits on a screen. */
enum {
	GROUPS_SHOWN = 16, /* of more, so many that failed */
	NAME_COLUMNS_MAX = 32,
	TITLE_COLUMNS_MAX = 44,
	COUNT_COLUMNS_MIN = 5, /* "12/12" */
};

/* The header ------------------------------------------------------------ */

static void put_file(struct text_writer *w)
{
	const char *file = w->grade->file;

	if (strcmp(file, "-") == 0)
		text_puts(w->out, "standard input");
	else
		escape_put_line(w->out, file, strlen(file), w->style->ascii);
}

static void put_dot(struct text *out, const struct style *style)
{
	text_printf(out, " %s ", style_symbol(style, SYMBOL_DOT));
}

static size_t count_missing(const struct grade *grade)
{
	size_t missing = 0;

	for (size_t i = 0; i < grade->n_layers; i++)
		missing += grade->layers[i].state != LAYER_OK;
	return missing;
}

/* " -O1" of all the flags: the one that changes what a learner sees. */
static void put_optimisation(struct text *out, const char *flags)
{
	const char *flag = strstr(flags, "-O");

	if (flag)
		text_printf(out, " %.*s", (int)strcspn(flag, " "), flag);
}

static void put_circumstances(
	struct text *out, const struct grade *grade, const struct style *style)
{
	size_t missing = count_missing(grade);

	text_printf(out, "seed %" PRIu64, grade->seed);
	put_dot(out, style);
	style_put_words(out, style, grade->compiler);
	put_optimisation(out, grade->flags);
	text_puts(out, ", ");
	style_put_words(out, style, grade->libc);
	if (missing > 0)
		return;
	put_dot(out, style);
	text_puts(out, "all layers");
}

static void put_missing_layers(struct text_writer *w)
{
	size_t n = 0;

	if (count_missing(w->grade) == 0)
		return;
	style_begin(w->out, w->style, PAINT_YELLOW);
	text_puts(w->out, "  without ");
	for (size_t i = 0; i < w->grade->n_layers; i++)
		if (w->grade->layers[i].state != LAYER_OK)
			text_printf(w->out, "%s%s", n++ ? ", " : "",
				w->grade->layers[i].name);
	text_puts(w->out, " (grader doctor says why)");
	style_end(w->out, w->style);
	text_putc(w->out, '\n');
}

static void put_header(struct text_writer *w)
{
	CLEANUP(cleanup_text) struct text right = {0};
	size_t start = w->out->len, columns, room;

	style_begin(w->out, w->style, PAINT_BOLD);
	style_put_words(w->out, w->style, w->grade->exercise->name);
	style_end(w->out, w->style);
	put_dot(w->out, w->style);
	put_file(w);
	put_circumstances(&right, w->grade, w->style);
	if (right.failed) {
		w->out->failed = true;
		return;
	}
	columns = style_columns(right.data, right.len);
	room = (size_t)w->style->width;
	if (style_columns(w->out->data + start, w->out->len - start) + 2 +
			columns <=
		room) {
		style_pad(w->out, start, room - columns);
	} else {
		text_puts(w->out, "\n  ");
	}
	style_begin(w->out, w->style, PAINT_DIM);
	text_put(w->out, right.data, right.len);
	style_end(w->out, w->style);
	text_putc(w->out, '\n');
	put_missing_layers(w);
	text_putc(w->out, '\n');
}

/* Cases and groups ------------------------------------------------------ */

static bool has_passed(const struct case_grade *graded)
{
	return graded->verdict == VERDICT_PASS;
}

static const struct case_grade *first_failing(
	const struct grade *grade, size_t group)
{
	for (size_t i = 0; i < grade->n_cases; i++)
		if (grade->cases[i].group == group &&
			!has_passed(&grade->cases[i]))
			return &grade->cases[i];
	return NULL;
}

/* The learner's own line where it crashed, once for each line. */
static void put_crash_line(
	struct text_writer *w, const struct case_grade *graded)
{
	struct excerpt excerpt = {.line = graded->line};

	if (!graded->details || graded->line <= 0)
		return;
	for (size_t i = 0; i < w->n_excerpts; i++)
		if (w->excerpt_lines[i] == graded->line)
			return;
	if (w->n_excerpts == EXCERPTS_SHOWN ||
		!excerpt_find(&excerpt, w->grade->source, w->grade->source_len))
		return;
	w->excerpt_lines[w->n_excerpts++] = graded->line;
	excerpt_put(w->out, w->style, &excerpt);
}

static void put_symbol(struct text_writer *w, bool good)
{
	style_begin(w->out, w->style, good ? PAINT_GREEN : PAINT_RED);
	text_puts(w->out,
		style_symbol(w->style, good ? SYMBOL_PASS : SYMBOL_FAIL));
	style_end(w->out, w->style);
}

/* "output[0][0] is NaN, expected 1.5" with the numbers left out, and the line.
 */
static void put_kind(struct text *out, const struct text *sentence, int line)
{
	/* Also of "1st" and "1e-09". */
	static const char number[] = "0123456789.+-edhnrst";

	for (size_t i = 0; i < sentence->len; i++) {
		if (isdigit((unsigned char)sentence->data[i]))
			i += strspn(sentence->data + i, number) - 1;
		else if (sentence->data[i] != '-')
			text_putc(out, sentence->data[i]);
	}
	text_printf(out, " %d\n", line);
}

/* Whether a failure of this kind was shown before; it is from now on. */
static bool is_known_kind(
	struct text_writer *w, const struct text *sentence, int line)
{
	CLEANUP(cleanup_text) struct text kind = {0};
	bool known;

	text_putc(&kind, '\n');
	put_kind(&kind, sentence, line);
	if (kind.failed) {
		w->out->failed = true;
		return false;
	}
	if (w->kinds.len == 0)
		text_putc(&w->kinds, '\n');
	known = w->kinds.data && strstr(w->kinds.data, kind.data);
	if (!known)
		text_puts(&w->kinds, kind.data + 1);
	return known;
}

/* Of a case that failed: why, and where. */
static void put_reason(struct text_writer *w, struct text *out,
	const struct case_grade *graded)
{
	const struct mismatch *mismatch = &graded->mismatch;

	sentence_put_case(out, w->grade, graded);
	if (w->options->verbose && graded->details && mismatch->found &&
		graded->verdict == VERDICT_WRONG_ANSWER)
		text_printf(out, "; %zu of %zu numbers are wrong",
			mismatch->n_wrong, mismatch->n_elements);
	if (graded->details && graded->line > 0) {
		/* Where it used what malloc() did not give, not where it asked.
		 */
		text_puts(out,
			graded->verdict == VERDICT_MEMORY_LIMIT &&
					!graded->stack_overflow
				? "; it crashed at "
				: ", at ");
		text_put_file_name(w, out);
		text_printf(out, ":%d", graded->line);
	}
}

/*
 * Beside the name where there is room, else below it.  There, in a report that
 * is to fit on a screen, only the first of each kind is shown.
 */
static void put_failure(struct text_writer *w, size_t name_start,
	const struct case_grade *graded)
{
	CLEANUP(cleanup_text) struct text reason = {0};
	size_t indent = FOLD_INDENT + (w->options->verbose ? 2 : 0);
	size_t beside = w->out->len;
	bool known;

	put_reason(w, &reason, graded);
	if (reason.failed || reason.len == 0) {
		w->out->failed |= reason.failed;
		return;
	}
	known = is_known_kind(w, &reason, graded->line);
	style_pad(w->out, name_start, w->name_columns);
	text_puts(w->out, "  ");
	if (fold_fits(
		    w->out, w->style, style_columns(reason.data, reason.len))) {
		text_put(w->out, reason.data, reason.len);
		return;
	}
	w->out->len = beside;
	if (w->out->data)
		w->out->data[beside] = '\0';
	if (known && !w->options->verbose) {
		w->n_left_out++;
		return;
	}
	text_printf(w->out, "\n%*s", (int)indent, "");
	fold_put(w->out, w->style, indent, reason.data, reason.len);
}

/* Of one case alone: a report with many pictures is a long one. */
static void put_picture(struct text_writer *w, const struct case_grade *graded)
{
	if (w->has_picture || !picture_is_worth_it(graded))
		return;
	w->has_picture = true;
	picture_put(w->out, w->style, FOLD_INDENT, graded);
}

/* From the symbol on: "✗ example-1   output[0][0]: expected ..." */
static void put_case(struct text_writer *w, const struct case_grade *graded)
{
	size_t start;

	put_symbol(w, has_passed(graded));
	text_putc(w->out, ' ');
	start = w->out->len;
	style_put_words(w->out, w->style, graded->name);
	if (!has_passed(graded))
		put_failure(w, start, graded);
	text_putc(w->out, '\n');
	if (has_passed(graded))
		return;
	put_crash_line(w, graded);
	put_picture(w, graded);
}

/* Titles line up; one that would push all others aside is cut. */
static void put_title(
	struct text *out, const struct style *style, const char *title)
{
	size_t len = strlen(title);
	bool cut = style_columns(title, len) > TITLE_COLUMNS_MAX;

	while (cut && style_columns(title, len) >= TITLE_COLUMNS_MAX)
		len--;
	style_put_words_len(out, style, title, len);
	if (cut)
		text_puts(out, style_symbol(style, SYMBOL_CUT));
}

static void put_group_title(
	struct text_writer *w, const struct group_grade *group)
{
	size_t start;

	text_puts(w->out, "  ");
	start = w->out->len;
	put_title(w->out, w->style, group->title);
	if (group->hidden)
		text_puts(w->out, " (hidden)");
	style_pad(w->out, start, w->title_columns);
	text_puts(w->out, "  ");
	style_begin(w->out, w->style,
		group->n_passed == group->n_cases ? PAINT_GREEN : PAINT_RED);
	text_printf(w->out, "%zu/%zu", group->n_passed, group->n_cases);
	style_end(w->out, w->style);
}

static void put_group(struct text_writer *w, size_t index)
{
	const struct group_grade *group = &w->grade->groups[index];
	const struct case_grade *failing = first_failing(w->grade, index);
	size_t start = w->out->len;

	put_group_title(w, group);
	style_pad(
		w->out, start, 2 + w->title_columns + 2 + w->count_columns + 2);
	if (failing) {
		put_case(w, failing);
	} else {
		put_symbol(w, true);
		text_putc(w->out, '\n');
	}
}

static void put_group_with_all_cases(struct text_writer *w, size_t index)
{
	put_group_title(w, &w->grade->groups[index]);
	text_putc(w->out, '\n');
	for (size_t i = 0; i < w->grade->n_cases; i++) {
		const struct case_grade *graded = &w->grade->cases[i];

		if (graded->group != index)
			continue;
		text_puts(w->out, "    ");
		put_case(w, graded);
		text_put_printed(w, graded);
	}
}

static void measure(struct text_writer *w)
{
	w->count_columns = COUNT_COLUMNS_MIN;
	for (size_t g = 0; g < w->grade->n_groups; g++) {
		const struct group_grade *group = &w->grade->groups[g];
		const struct case_grade *failing = first_failing(w->grade, g);
		struct text title = {0};
		size_t columns;

		put_title(&title, w->style, group->title);
		columns = title.data ? style_columns(title.data, title.len) : 0;
		text_finish(&title);
		columns += group->hidden ? strlen(" (hidden)") : 0;
		if (columns > w->title_columns)
			w->title_columns = columns;
		columns = (size_t)snprintf(
			NULL, 0, "%zu/%zu", group->n_passed, group->n_cases);
		if (columns > w->count_columns)
			w->count_columns = columns;
		if (!failing)
			continue;
		columns = style_columns_of_words(w->style, failing->name);
		if (columns > w->name_columns && columns <= NAME_COLUMNS_MAX)
			w->name_columns = columns;
	}
}

static void put_left_out(struct text_writer *w, size_t count, const char *verb)
{
	if (count > 0)
		text_printf(w->out, "  %s and %zu more group%s %s\n",
			style_symbol(w->style, SYMBOL_CUT), count,
			count == 1 ? "" : "s", verb);
}

static void put_some_groups(struct text_writer *w)
{
	const struct grade *grade = w->grade;
	size_t shown = 0, failed = 0, passed = 0;

	for (size_t g = 0; g < grade->n_groups; g++) {
		bool failing = first_failing(grade, g) != NULL;

		if (grade->n_groups <= GROUPS_SHOWN ||
			(failing && shown < GROUPS_SHOWN)) {
			put_group(w, g);
			shown++;
		} else if (failing) {
			failed++;
		} else {
			passed++;
		}
	}
	put_left_out(w, failed, "failed");
	put_left_out(w, passed, "passed");
}

static void put_groups(struct text_writer *w)
{
	measure(w);
	if (w->options->verbose)
		for (size_t g = 0; g < w->grade->n_groups; g++)
			put_group_with_all_cases(w, g);
	else
		put_some_groups(w);
	if (w->n_left_out > 0)
		text_printf(w->out, "  %s --verbose says why of each\n",
			style_symbol(w->style, SYMBOL_CUT));
	text_putc(w->out, '\n');
}

/* Of the first failing case that printed something. */
static void put_first_printed(struct text_writer *w)
{
	for (size_t i = 0; i < w->grade->n_cases; i++) {
		const struct case_grade *graded = &w->grade->cases[i];

		if (has_passed(graded) || !graded->details ||
			graded->text_len == 0)
			continue;
		text_puts(w->out, "\n  ");
		style_put_words(w->out, w->style, graded->name);
		text_puts(w->out, " printed:\n");
		text_put_printed(w, graded);
		return;
	}
}

/* What it does wrong with memory ----------------------------------------- */

static void put_slip(struct text_writer *w, const struct slip *slip)
{
	CLEANUP(cleanup_text) struct text line = {0};
	struct excerpt excerpt = {.line = slip->line, .column = slip->column};

	text_puts(&line, "  ");
	style_put_words(
		&line, w->style, w->grade->cases[slip->case_number].name);
	text_puts(&line, ": ");
	slips_put_sentence(&line, w->grade, slip);
	if (slip->line > 0) {
		text_puts(&line, ", at ");
		text_put_file_name(w, &line);
		text_printf(&line, ":%d", slip->line);
	}
	if (!line.failed)
		fold_put(w->out, w->style, FOLD_INDENT, line.data, line.len);
	w->out->failed |= line.failed;
	text_putc(w->out, '\n');
	if (slip->line > 0 &&
		excerpt_find(&excerpt, w->grade->source, w->grade->source_len))
		excerpt_put(w->out, w->style, &excerpt);
}

static void put_lost_precision(struct text_writer *w)
{
	CLEANUP(cleanup_text) struct text line = {0};
	struct excerpt excerpt = {.line = w->grade->precision.line};

	if (w->grade->precision.loss == PRECISION_KEPT)
		return;
	text_puts(&line, "  ");
	loss_put_sentence(&line, &w->grade->precision);
	text_putc(&line, '.');
	text_putc(w->out, '\n');
	if (!line.failed)
		fold_put(w->out, w->style, 2, line.data, line.len);
	w->out->failed |= line.failed;
	text_putc(w->out, '\n');
	if (excerpt.line > 0 &&
		excerpt_find(&excerpt, w->grade->source, w->grade->source_len))
		excerpt_put(w->out, w->style, &excerpt);
}

static bool has_crashed(const struct grade *grade)
{
	for (size_t i = 0; i < grade->n_cases; i++)
		if (grade->cases[i].details &&
			grade->cases[i].ended.crash_known)
			return true;
	return false;
}

static void put_slips(struct text_writer *w)
{
	const struct grade *grade = w->grade;

	if (grade->n_slips > 0)
		text_puts(w->out,
			"\n  Run once more, with every step checked:\n");
	for (size_t i = 0; i < grade->n_slips; i++)
		put_slip(w, &grade->slips[i]);
	if (grade->renumbered && (grade->n_slips > 0 || has_crashed(grade)))
		text_puts(w->out,
			"\n  No line is shown, since #line gives the lines of "
			"this file other numbers.\n");
}

/* The end --------------------------------------------------------------- */

static void put_points(struct text_writer *w)
{
	const struct grade *grade = w->grade;
	size_t passed = 0;

	for (size_t i = 0; i < grade->n_cases; i++)
		passed += has_passed(&grade->cases[i]);
	text_puts(w->out, "  ");
	if (grade->verdict == VERDICT_GRADER_ERROR) {
		style_begin(w->out, w->style, PAINT_YELLOW);
		text_puts(w->out,
			"no result: the grader failed, which says "
			"nothing about the submission");
		style_end(w->out, w->style);
		text_putc(w->out, '\n');
		return;
	}
	if (grade->scored)
		text_printf(w->out, "%d of %d point%s", grade->score,
			grade->max_score, grade->max_score == 1 ? "" : "s");
	else
		text_printf(w->out,
			"%zu of %zu case%s passed, no score for only some "
			"cases",
			passed, grade->n_cases, grade->n_cases == 1 ? "" : "s");
	put_dot(w->out, w->style);
	style_begin(w->out, w->style, grade->passed ? PAINT_GREEN : PAINT_RED);
	text_puts(w->out, grade->passed ? "passed" : "not passed");
	style_end(w->out, w->style);
	text_putc(w->out, '\n');
}

/* The exercise's own sentences: a paragraph for each line of them. */
static void put_explanation(struct text_writer *w)
{
	const char *line = w->grade->explanation;

	if (line)
		text_putc(w->out, '\n');
	while (line && *line) {
		CLEANUP(cleanup_text) struct text words = {0};
		size_t len = strcspn(line, "\n");

		style_put_words_len(&words, w->style, line, len);
		w->out->failed |= words.failed;
		text_puts(w->out, "  ");
		if (words.data)
			fold_put(w->out, w->style, 2, words.data, words.len);
		text_putc(w->out, '\n');
		line += len + (line[len] == '\n');
	}
}

static void put_next_step(struct text_writer *w)
{
	size_t hint = report_choose_hint(w->grade, w->options->hints_opened);

	if (hint == 0)
		return;
	text_printf(w->out, "\n  %s grader hint ",
		style_symbol(w->style, SYMBOL_ARROW));
	style_put_words(w->out, w->style, w->options->exercise);
	text_printf(w->out, " %zu\n", hint);
}

void report_put_text(struct text *out, const struct grade *grade,
	const struct report_options *options)
{
	struct text_writer writer = {
		.out = out,
		.grade = grade,
		.options = options,
		.style = &options->style,
	};

	put_header(&writer);
	if (!grade->compiled)
		text_put_compile_errors(&writer);
	else
		put_groups(&writer);
	put_points(&writer);
	text_put_findings(&writer);
	put_explanation(&writer);
	put_lost_precision(&writer);
	if (!options->verbose)
		put_first_printed(&writer);
	put_slips(&writer);
	text_put_warnings(&writer);
	put_next_step(&writer);
	text_finish(&writer.kinds);
}

/* Other reports ---------------------------------------------------------- */

static void put_failing_groups(struct text_writer *w)
{
	size_t passed = 0;

	measure(w);
	for (size_t g = 0; g < w->grade->n_groups; g++) {
		if (first_failing(w->grade, g))
			put_group(w, g);
		else
			passed++;
	}
	if (passed > 0 && !w->grade->passed)
		text_printf(w->out, "  %s and %zu group%s passed\n",
			style_symbol(w->style, SYMBOL_CUT), passed,
			passed == 1 ? "" : "s");
}

void report_put_brief(struct text *out, const struct grade *grade,
	const struct report_options *options)
{
	const size_t start = out->len;
	struct text_writer writer = {
		.out = out,
		.grade = grade,
		.options = options,
		.style = &options->style,
	};

	style_begin(out, writer.style, PAINT_BOLD);
	style_put_words(out, writer.style, grade->exercise->name);
	style_end(out, writer.style);
	put_dot(out, writer.style);
	put_file(&writer);
	text_putc(out, '\n');
	put_points(&writer);
	text_put_findings(&writer);
	put_explanation(&writer);
	put_lost_precision(&writer);
	/* Before the groups: what does not fit is cut. */
	put_slips(&writer);
	if (!grade->passed)
		text_putc(out, '\n');
	if (!grade->compiled)
		text_put_compile_errors(&writer);
	else
		put_failing_groups(&writer);
	put_first_printed(&writer);
	text_put_warnings(&writer);
	text_finish(&writer.kinds);
	if (!out->failed)
		while (strcmp(out->data + out->len - 2, "\n\n") == 0)
			out->data[--out->len] = '\0';
	fold_cut(out, writer.style, start, options->rows);
}

/* As much as fits on the line that out ends with. */
static void put_cut(
	struct text *out, const struct style *style, const struct text *words)
{
	size_t len = words->len;

	while (len > 0 &&
		!fold_fits(out, style, style_columns(words->data, len)))
		len--;
	text_put(out, words->data, len);
}

static void put_failing(struct text_writer *w, const struct case_grade *graded)
{
	CLEANUP(cleanup_text) struct text reason = {0};
	size_t start;

	text_puts(w->out, "  ");
	put_symbol(w, false);
	text_putc(w->out, ' ');
	start = w->out->len;
	style_put_words(w->out, w->style, graded->name);
	put_reason(w, &reason, graded);
	if (reason.len > 0 && !w->out->failed) {
		style_pad(w->out, start, w->name_columns);
		text_puts(w->out, "  ");
		put_cut(w->out, w->style, &reason);
	}
	w->out->failed |= reason.failed;
	text_putc(w->out, '\n');
}

void report_put_failing(struct text *out, const struct grade *grade,
	const struct report_options *options)
{
	struct text_writer writer = {
		.out = out,
		.grade = grade,
		.options = options,
		.style = &options->style,
	};

	if (!grade->compiled)
		text_put_compile_errors(&writer);
	for (size_t i = 0; i < grade->n_cases; i++) {
		size_t columns = style_columns_of_words(
			writer.style, grade->cases[i].name);

		if (!has_passed(&grade->cases[i]) &&
			columns > writer.name_columns &&
			columns <= NAME_COLUMNS_MAX)
			writer.name_columns = columns;
	}
	for (size_t i = 0; grade->compiled && i < grade->n_cases; i++)
		if (!has_passed(&grade->cases[i]))
			put_failing(&writer, &grade->cases[i]);
}
