/* SPDX-License-Identifier: MIT */
#include "grader/cli/hint.h"

#include "base/error.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/memory.h"
#include "grader/cli/output.h"
#include "grader/engine/exercise.h"
#include "grader/report/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Prose is hard to read in longer lines. */
enum { PROSE_WIDTH_MAX = 88 };

/* Which hints to show: from first to last, both numbers from 1. */
struct range {
	size_t first;
	size_t last;
};

static bool parse_number(const char *word, const struct exercise *exercise,
	size_t *number_out, struct error *err)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(word, &end, 10);
	if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 ||
		number == 0 || number > exercise->n_hints)
		return error_set(err, ERROR_USAGE,
			"'%.100s' is no hint of %s: it has hints 1 to %zu",
			word, exercise->name, exercise->n_hints);
	*number_out = number;
	return true;
}

/* The next that is closed, or those up to the one that was asked for. */
static bool choose(const struct invocation *invocation,
	const struct exercise *exercise, size_t opened, struct range *range,
	struct error *err)
{
	if (exercise->n_hints == 0)
		return error_set(
			err, ERROR_USAGE, "%s has no hints", exercise->name);
	if (invocation->n_arguments == 1) {
		range->first = opened + 1;
		range->last = range->first;
		return true;
	}
	if (!parse_number(
		    invocation->arguments[1], exercise, &range->last, err))
		return false;
	range->first = opened < range->last ? opened + 1 : range->last;
	return true;
}

static void put_one(struct text *out, const struct style *style,
	const struct exercise *exercise, size_t number)
{
	const struct hint *hint = &exercise->hints[number - 1];

	style_begin(out, style, PAINT_BOLD);
	text_printf(out, "Hint %zu of %zu: ", number, exercise->n_hints);
	style_put_words(out, style, hint->title);
	style_end(out, style);
	text_puts(out, "\n\n");
	page_put(out, style, hint->text, strlen(hint->text));
}

void hint_put(struct text *out, const struct style *style,
	const struct exercise *exercise, size_t first, size_t last)
{
	struct style own = *style;

	if (own.width > PROSE_WIDTH_MAX)
		own.width = PROSE_WIDTH_MAX;
	for (size_t n = first; n <= last; n++) {
		if (n > first)
			text_putc(out, '\n');
		put_one(out, &own, exercise, n);
	}
}

static bool put_hints(struct invocation *invocation,
	const struct exercise *exercise, struct range range, struct error *err)
{
	const char *words = lookup_words(invocation, err);
	struct text out = {0};
	bool good;

	if (!words)
		return false;
	hint_put(&out, &invocation->style, exercise, range.first, range.last);
	if (range.last < exercise->n_hints)
		text_printf(&out, "\n%s grader hint %s %zu\n",
			style_symbol(&invocation->style, SYMBOL_ARROW), words,
			range.last + 1);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static bool put_all_open(struct invocation *invocation,
	const struct exercise *exercise, struct error *err)
{
	const char *words = lookup_words(invocation, err);
	struct text out = {0};
	bool good;

	if (!words)
		return false;
	text_printf(&out,
		"You have opened all %zu hints of %s.\n"
		"%s grader hint %s N shows one of them again.\n",
		exercise->n_hints, exercise->name,
		style_symbol(&invocation->style, SYMBOL_ARROW), words);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

bool command_hint(struct invocation *invocation, struct error *err)
{
	struct error forgotten;
	struct exercise exercise;
	struct range range;
	size_t opened;

	if (!lookup_exercise(invocation, &exercise, err))
		return false;
	opened = memory_hints_opened(invocation, &exercise);
	if (!choose(invocation, &exercise, opened, &range, err))
		return false;
	if (range.last > exercise.n_hints)
		return put_all_open(invocation, &exercise, err);
	if (!put_hints(invocation, &exercise, range, err))
		return false;
	/* A hint that cannot be remembered has helped all the same. */
	if (range.last > opened &&
		!memory_open_hints(
			invocation, &exercise, range.last, &forgotten))
		output_note("this hint will not be remembered as opened: %s",
			forgotten.message);
	return true;
}
