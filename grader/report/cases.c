/* SPDX-License-Identifier: MIT */
#include "grader/report/cases.h"

#include "base/text.h"
#include "grader/report/style.h"
#include "grader/report/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a large array, unless it is to be shown in full. */
enum {
	ROWS_SHOWN = 8,
	COLUMNS_SHOWN = 8,
};

static bool is_shown(
	const struct cases_view *view, const struct test_case *test)
{
	return view->hidden || !test->hidden;
}

size_t cases_count_hidden(const struct cases_view *view)
{
	size_t hidden = 0;

	for (size_t i = 0; i < view->list->count; i++)
		hidden += view->list->cases[i].hidden;
	return hidden;
}

/* JSON ------------------------------------------------------------------ */

static void put_inputs(
	struct tree *tree, cJSON *parent, const struct test_case *test)
{
	const struct function *function = test->function;
	cJSON *inputs = tree_object(tree, parent, "inputs");

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];

		if (!parameter->output)
			tree_value(tree, inputs, parameter->name,
				parameter->type, &test->arguments[p],
				parameter->is_array);
	}
}

/* What is expected of each output and of the result, or its tolerance. */
static void put_outputs(struct tree *tree, cJSON *parent, const char *name,
	const struct test_case *test, const struct value *values)
{
	const struct function *function = test->function;
	bool tolerance = values == test->tolerance;
	cJSON *outputs = tree_object(tree, parent, name);

	for (size_t p = 0; p <= function->n_parameters; p++) {
		bool result = p == function->n_parameters;
		enum value_type type = result ? function->return_type
					      : function->parameters[p].type;

		if (values[p].data)
			tree_value(tree, outputs,
				result ? "result"
				       : function->parameters[p].name,
				tolerance ? TYPE_DOUBLE : type, &values[p],
				!result);
	}
}

bool cases_put_json(
	struct text *out, const struct cases_view *view, struct error *err)
{
	struct tree tree;
	cJSON *list;
	bool good;

	if (!tree_start(&tree, err))
		return false;
	tree_string(&tree, tree.root, "exercise", view->exercise->name);
	tree_size(&tree, tree.root, "seed", view->seed);
	list = tree_array(&tree, tree.root, "cases");
	for (size_t i = 0; i < view->list->count; i++) {
		const struct test_case *test = &view->list->cases[i];
		cJSON *item;

		if (!is_shown(view, test))
			continue;
		item = tree_object(&tree, list, NULL);
		tree_string(&tree, item, "name", test->name);
		tree_string(&tree, item, "group", test->group->name);
		tree_string(&tree, item, "function", test->function->name);
		tree_string(&tree, item, "visibility",
			test->hidden ? "hidden" : "public");
		if (test->hidden)
			tree_null(&tree, item, "seed");
		else
			tree_size(&tree, item, "seed", test->seed);
		put_inputs(&tree, item, test);
		put_outputs(&tree, item, "expected", test, test->expected);
		put_outputs(&tree, item, "tolerance", test, test->tolerance);
	}
	good = tree_write(&tree, false, out, err);
	tree_finish(&tree);
	return good;
}

/* Text ------------------------------------------------------------------ */

static void put_element(struct text *out, enum value_type type,
	const struct value *value, size_t i)
{
	const char *at = (const char *)value->data + i * type_bytes(type);
	char spelt[32];

	switch (type) {
	case TYPE_DOUBLE:
		tree_spell_real(*(const double *)(const void *)at, spelt,
			sizeof(spelt));
		text_puts(out, spelt);
		break;
	case TYPE_FLOAT:
		tree_spell_real((double)*(const float *)(const void *)at, spelt,
			sizeof(spelt));
		text_puts(out, spelt);
		break;
	case TYPE_BOOL:
		text_puts(out, *at ? "true" : "false");
		break;
	case TYPE_CHAR:
		text_printf(out, "%d", *at);
		break;
	case TYPE_INT:
		text_printf(out, "%d", *(const int *)(const void *)at);
		break;
	case TYPE_SIZE:
	case TYPE_UINT64:
		text_printf(
			out, "%" PRIu64, *(const uint64_t *)(const void *)at);
		break;
	}
}

static void put_row(struct text *out, const struct style *style,
	enum value_type type, const struct value *value, size_t first,
	size_t shown)
{
	size_t width = value->n_axes ? value->shape[value->n_axes - 1] : 1;

	text_puts(out, "     ");
	for (size_t i = 0; i < width && i < shown; i++) {
		text_putc(out, ' ');
		put_element(out, type, value, first + i);
	}
	if (width > shown)
		text_printf(out, " %s", style_symbol(style, SYMBOL_CUT));
	text_putc(out, '\n');
}

/* Row by row; of more than two axes, one block of rows after the other. */
static void put_array(struct text *out, const struct style *style,
	const struct cases_view *view, enum value_type type,
	const struct value *value)
{
	size_t width = value->n_axes ? value->shape[value->n_axes - 1] : 1;
	size_t rows = width ? value->count / width : 0;

	for (size_t row = 0; row < rows; row++) {
		if (row == ROWS_SHOWN && !view->whole) {
			text_printf(out, "      %s %zu more rows\n",
				style_symbol(style, SYMBOL_CUT), rows - row);
			break;
		}
		put_row(out, style, type, value, row * width,
			view->whole ? width : COLUMNS_SHOWN);
	}
}

static void put_scalar(
	struct text *out, enum value_type type, const struct value *value)
{
	char spelt[32];

	if (type_is_float(type)) {
		tree_spell_real(value->real, spelt, sizeof(spelt));
		text_puts(out, spelt);
	} else if (type == TYPE_BOOL) {
		text_puts(out, value->number ? "true" : "false");
	} else if (type == TYPE_SIZE || type == TYPE_UINT64) {
		text_printf(out, "%" PRIu64, value->number);
	} else {
		text_printf(out, "%" PRId64, (int64_t)value->number);
	}
}

static void put_scalars(struct text *out, const struct test_case *test)
{
	const struct function *function = test->function;
	size_t n = 0;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];

		if (parameter->is_array)
			continue;
		text_printf(out, "%s%s = ", n++ ? ", " : "  ", parameter->name);
		put_scalar(out, parameter->type, &test->arguments[p]);
	}
	if (n > 0)
		text_putc(out, '\n');
}

static void put_arrays(struct text *out, const struct style *style,
	const struct cases_view *view, const struct test_case *test)
{
	const struct function *function = test->function;

	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];
		const struct value *value = &test->arguments[p];

		if (!parameter->is_array || parameter->output)
			continue;
		text_printf(out, "  %s", parameter->name);
		text_puts(out, value->is_null ? " = NULL\n" : "\n");
		if (!value->is_null)
			put_array(out, style, view, parameter->type, value);
	}
}

void cases_put_inputs(struct text *out, const struct style *style,
	const struct test_case *test)
{
	const struct cases_view view = {.whole = false};

	put_scalars(out, test);
	put_arrays(out, style, &view, test);
}

/* ", within 1e-09", or the least and the greatest of the tolerances. */
static void put_tolerance(struct text *out, const struct value *tolerance)
{
	const double *numbers = tolerance->data;
	double least = INFINITY, greatest = 0;
	char from[32], to[32];

	if (!numbers)
		return;
	for (size_t i = 0; i < tolerance->count; i++) {
		least = fmin(least, numbers[i]);
		greatest = fmax(greatest, numbers[i]);
	}
	snprintf(from, sizeof(from), "%.3g", least);
	snprintf(to, sizeof(to), "%.3g", greatest);
	text_puts(out, ", within ");
	if (tolerance->count > 0 && strcmp(from, to) != 0)
		text_printf(out, "%s to ", from);
	text_puts(out, to);
}

static void put_expected(struct text *out, const struct style *style,
	const struct cases_view *view, const struct test_case *test)
{
	const struct function *function = test->function;

	for (size_t p = 0; p <= function->n_parameters; p++) {
		bool result = p == function->n_parameters;

		if (!test->expected[p].data)
			continue;
		text_printf(out, "  expected %s",
			result ? "result" : function->parameters[p].name);
		put_tolerance(out, &test->tolerance[p]);
		text_putc(out, '\n');
		put_array(out, style, view,
			result ? function->return_type
			       : function->parameters[p].type,
			&test->expected[p]);
	}
}

void cases_put_text(struct text *out, const struct style *style,
	const struct cases_view *view)
{
	size_t hidden = view->hidden ? 0 : cases_count_hidden(view);
	const char *dot = style_symbol(style, SYMBOL_DOT);

	for (size_t i = 0; i < view->list->count; i++) {
		const struct test_case *test = &view->list->cases[i];

		if (!is_shown(view, test))
			continue;
		style_begin(out, style, PAINT_BOLD);
		style_put_words(out, style, test->name);
		style_end(out, style);
		text_printf(out, " %s ", dot);
		style_put_words(out, style, test->group->title);
		text_printf(out, " %s %s()", dot, test->function->name);
		if (test->hidden)
			text_printf(out, " %s hidden", dot);
		else
			text_printf(out, " %s seed %" PRIu64, dot, test->seed);
		if (test->repeat > 1)
			text_printf(
				out, " %s called %zu times", dot, test->repeat);
		text_putc(out, '\n');
		put_scalars(out, test);
		put_arrays(out, style, view, test);
		put_expected(out, style, view, test);
		text_putc(out, '\n');
	}
	text_printf(out, "%zu case%s, seed %" PRIu64 "\n",
		view->list->count - hidden,
		view->list->count - hidden == 1 ? "" : "s", view->seed);
	if (hidden > 0)
		text_printf(out,
			"%zu hidden case%s left out; --audience staff shows "
			"%s\n",
			hidden, hidden == 1 ? " is" : "s are",
			hidden == 1 ? "it" : "them");
}
