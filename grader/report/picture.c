/* SPDX-License-Identifier: MIT */
#include "grader/report/picture.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/report/fold.h"
#include "grader/report/style.h"

#include <stdio.h>

enum {
	TINY = 4, /* elements: the sentence says it all */
	ROWS_SHOWN = 16,
	COLUMNS_SHOWN = 32,
	GAP = 2, /* around the numbers of the rows */
	N_STATES = ELEMENT_UNWRITTEN + 1,
};

/* Rows, or columns: those from first on, count of all. */
struct part {
	size_t first;
	size_t count;
	size_t all;
};

struct picture {
	struct text *out;
	const struct style *style;
	size_t indent;
	const char *name; /* of the array */
	const unsigned char *elements;
	size_t n_elements;
	struct part rows;
	struct part columns;
	int number_width;
};

bool picture_is_worth_it(const struct case_grade *graded)
{
	const struct mismatch *mismatch = &graded->mismatch;

	return graded->verdict == VERDICT_WRONG_ANSWER && graded->details &&
		graded->test_case && graded->elements && mismatch->found &&
		graded->test_case->arguments[mismatch->output].count > TINY;
}

/* As many as there is room for, wanted among them. */
static struct part choose_part(size_t all, size_t room, size_t wanted)
{
	struct part part = {.count = all, .all = all};

	if (all <= room)
		return part;
	part.count = room;
	if (wanted >= room)
		part.first = wanted < all - room ? wanted : all - room;
	return part;
}

static size_t room_for_columns(const struct picture *picture)
{
	size_t width = (size_t)picture->style->width;
	size_t taken =
		picture->indent + (size_t)(picture->number_width + 2 * GAP);

	if (!picture->style->fold)
		return COLUMNS_SHOWN;
	if (width < taken + 2)
		return 1;
	width = (width - taken + 1) / 2;
	return width < COLUMNS_SHOWN ? width : COLUMNS_SHOWN;
}

static void init(struct picture *picture, const struct case_grade *graded)
{
	const struct mismatch *mismatch = &graded->mismatch;
	const struct value *value =
		&graded->test_case->arguments[mismatch->output];
	const size_t *shape = value->shape;

	picture->name = graded->function->parameters[mismatch->output].name;
	picture->elements = graded->elements;
	picture->n_elements = value->count;
	picture->number_width = snprintf(NULL, 0, "%zu", shape[0] - 1);
	picture->rows =
		choose_part(shape[0], ROWS_SHOWN, mismatch->element / shape[1]);
	picture->columns = choose_part(shape[1], room_for_columns(picture),
		mismatch->element % shape[1]);
}

static const char *cell(const struct style *style, unsigned char state)
{
	switch ((enum element_state)state) {
	case ELEMENT_RIGHT:
		return style_symbol(style, SYMBOL_RIGHT);
	case ELEMENT_WRONG:
		return style_symbol(style, SYMBOL_WRONG);
	case ELEMENT_NAN:
		return "n";
	case ELEMENT_UNWRITTEN:
		return "?";
	}
	return "?";
}

/* "x is wrong, n is NaN": of what is to be seen. */
static void put_legend(
	struct text *out, const struct style *style, const bool seen[])
{
	static const char *const says[] = {
		[ELEMENT_WRONG] = "is wrong",
		[ELEMENT_NAN] = "is NaN",
		[ELEMENT_UNWRITTEN] = "was never written",
	};
	size_t n = 0;

	for (int state = ELEMENT_WRONG; state < N_STATES; state++)
		if (seen[state])
			text_printf(out, "%s %s %s", n++ ? "," : ":",
				cell(style, (unsigned char)state), says[state]);
}

static void put_part(
	struct text *out, const char *what, const struct part *part)
{
	text_printf(out, "%s %zu to %zu of %zu", what, part->first,
		part->first + part->count - 1, part->all);
}

static void put_heading(const struct picture *picture, const bool seen[])
{
	const struct part *rows = &picture->rows;
	const struct part *columns = &picture->columns;
	CLEANUP(cleanup_text) struct text words = {0};

	text_printf(&words, "%s, ", picture->name);
	if (rows->count == rows->all && columns->count == columns->all) {
		text_printf(&words, "%zu row%s of %zu", rows->all,
			rows->all == 1 ? "" : "s", columns->all);
	} else {
		put_part(&words, "rows", rows);
		put_part(&words, ", columns", columns);
	}
	put_legend(&words, picture->style, seen);
	if (!words.failed)
		fold_put(picture->out, picture->style, picture->indent,
			words.data, words.len);
	picture->out->failed |= words.failed;
	text_putc(picture->out, '\n');
}

static void put_row(const struct picture *picture, size_t row)
{
	static const enum paint paints[] = {
		[ELEMENT_RIGHT] = PAINT_DIM,
		[ELEMENT_WRONG] = PAINT_RED,
		[ELEMENT_NAN] = PAINT_YELLOW,
		[ELEMENT_UNWRITTEN] = PAINT_YELLOW,
	};
	const struct part *columns = &picture->columns;
	const unsigned char *states = picture->elements + row * columns->all;

	text_printf(picture->out, "%*s%*zu%*s", (int)picture->indent + GAP, "",
		picture->number_width, row, GAP - 1, "");
	for (size_t i = 0; i < columns->count; i++) {
		unsigned char state = states[columns->first + i];
		bool first = i == 0 || state != states[columns->first + i - 1];
		bool last = i + 1 == columns->count ||
			state != states[columns->first + i + 1];

		text_putc(picture->out, ' ');
		if (first)
			style_begin(
				picture->out, picture->style, paints[state]);
		text_puts(picture->out, cell(picture->style, state));
		if (last)
			style_end(picture->out, picture->style);
	}
	text_putc(picture->out, '\n');
}

static void put_all(const struct picture *picture)
{
	static const char *const says[] = {
		[ELEMENT_WRONG] = "are wrong",
		[ELEMENT_NAN] = "are NaN",
		[ELEMENT_UNWRITTEN] = "were never written",
	};

	text_printf(picture->out, "all %zu elements of %s %s\n",
		picture->n_elements, picture->name, says[picture->elements[0]]);
}

void picture_put(struct text *out, const struct style *style, size_t indent,
	const struct case_grade *graded)
{
	struct picture picture = {.out = out, .style = style, .indent = indent};
	bool seen[N_STATES] = {false};
	size_t n_seen = 0;

	init(&picture, graded);
	for (size_t i = 0; i < picture.n_elements; i++) {
		n_seen += !seen[picture.elements[i]];
		seen[picture.elements[i]] = true;
	}
	text_printf(out, "%*s", (int)indent, "");
	if (n_seen == 1) {
		put_all(&picture);
		return;
	}
	put_heading(&picture, seen);
	for (size_t i = 0; i < picture.rows.count; i++)
		put_row(&picture, picture.rows.first + i);
}
