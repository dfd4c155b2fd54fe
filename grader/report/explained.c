/* SPDX-License-Identifier: MIT */
#include "grader/report/explained.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "grader/engine/small_case.h"
#include "grader/report/cases.h"
#include "grader/report/excerpt.h"
#include "grader/report/fold.h"
#include "grader/report/report.h"
#include "grader/report/sentence.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT = 2 };

/* Words on lines of their own; a new paragraph for each line of them. */
static void put_words(
	struct text *out, const struct style *style, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, "\n");

		text_puts(out, "  ");
		fold_put(out, style, INDENT, words, len);
		text_putc(out, '\n');
		words += len + (words[len] == '\n');
	}
}

/* "output[0][0]: expected 2, got 3", and the line of a crash. */
static void put_failure(struct text *out, const struct explained_view *view,
	const struct case_grade *graded, bool named)
{
	const struct style *style = &view->options->style;
	CLEANUP(cleanup_text) struct text words = {0};
	struct excerpt excerpt = {.line = graded->line};

	if (named)
		text_printf(&words, "%s: ", graded->name);
	sentence_put_case(&words, view->grade, graded);
	if (graded->line > 0)
		text_printf(&words, ", on line %d", graded->line);
	out->failed |= words.failed;
	if (words.data)
		put_words(out, style, words.data);
	if (graded->line > 0 &&
		excerpt_find(
			&excerpt, view->grade->source, view->grade->source_len))
		excerpt_put(out, style, &excerpt);
}

static void put_hidden(struct text *out, const struct explained_view *view)
{
	if (!view->hidden)
		return;
	text_puts(out, "  ");
	style_put_words(out, &view->options->style, view->hidden->name);
	text_puts(out, " is hidden.  This one is not, and fails as well:\n\n");
}

/* What is not said is that the program keeps something: it may also read
   memory that it never set. */
static void put_not_alone(struct text *out, const struct explained_view *view)
{
	const struct style *style = &view->options->style;

	if (view->failed->ended.end == RUN_CPU_TOTAL)
		put_words(out, style,
			"All cases together took too long.  This one alone "
			"does not.");
	else
		put_words(out, style,
			"Called alone, with the same inputs, it does not fail "
			"in this way: what it computes depends on the calls "
			"in front of it.  Static variables keep "
			"what an earlier call left in them, and memory that "
			"is never set holds anything.");
}

static void put_steps(struct text *out, const char *steps)
{
	text_puts(out, "\n  Step by step:\n\n");
	while (*steps) {
		size_t len = strcspn(steps, "\n");

		if (len > 0)
			text_printf(out, "  %.*s", (int)len, steps);
		text_putc(out, '\n');
		steps += len + (steps[len] == '\n');
	}
}

static void put_small(struct text *out, const struct explained_view *view)
{
	const struct small_case *small = view->small;

	text_puts(
		out, "\n  The smallest case found that fails in the same way");
	if (small->test_case.repeat > 1)
		text_printf(out, ", called %zu times in a row",
			small->test_case.repeat);
	text_puts(out, ":\n\n");
	cases_put_inputs(out, &view->options->style, &small->test_case);
	text_putc(out, '\n');
	put_failure(out, view, &small->graded, false);
	if (view->steps)
		put_steps(out, view->steps);
}

static void put_next(struct text *out, const struct explained_view *view)
{
	const struct style *style = &view->options->style;
	const char *arrow = style_symbol(style, SYMBOL_ARROW);
	const char *file = view->grade->file;

	if (!view->main_file) {
		text_printf(out, "\n  %s grader explain %s ", arrow,
			view->options->exercise);
		/* One that starts with a dash would be an option. */
		if (file[0] == '-' && file[1] != '\0')
			text_puts(out, "./");
		report_put_word(out, file, style->ascii);
		text_putc(out, ' ');
		report_put_word(out, view->failed->name, style->ascii);
		if (view->seed != view->grade->exercise->seed)
			text_printf(out, " --seed %" PRIu64, view->seed);
		text_puts(out, " --main\n");
		return;
	}
	text_puts(out, "\n  Written: ");
	report_put_word(out, view->main_file, style->ascii);
	text_printf(out, ".\n  %s cc -g -o try ", arrow);
	report_put_word(out, view->main_file, style->ascii);
	text_putc(out, ' ');
	report_put_word(
		out, strcmp(file, "-") == 0 ? "solve.c" : file, style->ascii);
	text_puts(out, " -lm && gdb ./try\n");
}

void explained_put(struct text *out, const struct explained_view *view)
{
	put_hidden(out, view);
	put_failure(out, view, view->failed, true);
	if (view->small->found) {
		put_small(out, view);
		put_next(out, view);
	} else {
		text_putc(out, '\n');
		put_not_alone(out, view);
	}
}
