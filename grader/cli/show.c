/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/memory.h"
#include "grader/cli/output.h"
#include "grader/engine/exercise.h"
#include "grader/report/page.h"

#include <string.h>

/* Prose is hard to read in longer lines. */
enum { PROSE_WIDTH_MAX = 88 };

static void put_solution(struct text *out, const struct style *style,
	const struct exercise *exercise)
{
	text_putc(out, '\n');
	style_begin(out, style, PAINT_BOLD);
	text_puts(out, "A solution follows; it gives everything away.");
	style_end(out, style);
	text_puts(out, "\n\n");
	escape_put(out, exercise->solution.data, exercise->solution.len,
		style->ascii);
}

static void put_next_step(struct text *out, const struct invocation *invocation,
	const struct exercise *exercise, const char *words)
{
	size_t opened = memory_hints_opened(invocation, exercise);

	text_printf(out, "\n%s grader start ",
		style_symbol(&invocation->style, SYMBOL_ARROW));
	lookup_put_words(out, invocation, words);
	text_putc(out, '\n');
	if (opened >= exercise->n_hints)
		return;
	text_printf(out, "%s grader hint ",
		style_symbol(&invocation->style, SYMBOL_ARROW));
	lookup_put_words(out, invocation, words);
	text_printf(out, " (%zu of %zu opened)\n", opened, exercise->n_hints);
}

bool command_show(struct invocation *invocation, struct error *err)
{
	struct exercise exercise;
	struct text out = {0};
	const char *words;
	bool good;

	if (!lookup_exercise(invocation, &exercise, err))
		return false;
	words = lookup_words(invocation, err);
	if (!words)
		return false;
	if (invocation->style.width > PROSE_WIDTH_MAX)
		invocation->style.width = PROSE_WIDTH_MAX;
	page_put(&out, &invocation->style, exercise.lesson.data,
		exercise.lesson.len);
	if (invocation->options.solution)
		put_solution(&out, &invocation->style, &exercise);
	else
		put_next_step(&out, invocation, &exercise, words);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}
