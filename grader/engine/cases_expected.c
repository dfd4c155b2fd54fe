/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases_expected.h"

#include "base/error.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* One element, as given and as computed. */
struct pair {
	enum value_type type;
	uint64_t given_number, computed_number;
	double given, computed;
	int decimals; /* of given, as written */
};

/* Half a unit of the last digit, and what the reference's own number type
   rounds away. */
static double slack_of(const struct pair *pair)
{
	double epsilon = pair->type == TYPE_FLOAT ? FLT_EPSILON : DBL_EPSILON;

	return pow(10, -pair->decimals) / 2 +
		4 * epsilon * fabs(pair->computed);
}

static bool agrees(const struct pair *pair)
{
	if (!type_is_float(pair->type))
		return pair->given_number == pair->computed_number;
	return fabs(pair->given - pair->computed) <= slack_of(pair);
}

static void describe(enum value_type type, uint64_t number, double real,
	char *out, size_t size)
{
	if (type_is_float(type))
		snprintf(out, size, "%.*g", type == TYPE_FLOAT ? 7 : 15, real);
	else if (type == TYPE_BOOL)
		snprintf(out, size, "%s", number ? "true" : "false");
	else if (type == TYPE_SIZE || type == TYPE_UINT64)
		snprintf(out, size, "%" PRIu64, number);
	else
		snprintf(out, size, "%" PRId64, (int64_t)number);
}

static bool fail(const struct test_case *test_case, size_t p, size_t element,
	const struct pair *pair, struct error *err)
{
	const struct function *function = test_case->function;
	const struct value *shape = &test_case->expected[p];
	char index[AXES_MAX * 24] = "";
	char given[32], computed[32];

	shape_describe_index(
		shape->shape, shape->n_axes, element, index, sizeof(index));
	describe(pair->type, pair->given_number, pair->given, given,
		sizeof(given));
	describe(pair->type, pair->computed_number, pair->computed, computed,
		sizeof(computed));
	return error_set(err, ERROR_EXERCISE,
		"%s/exercise.json:%d: case %s: expected.%s%s is %s, but the "
		"reference computes %s",
		test_case->exercise->folder, test_case->definition->line,
		test_case->name,
		p < function->n_parameters ? function->parameters[p].name
					   : "result",
		index, given, computed);
}

static bool check_value(
	const struct test_case *test_case, size_t p, struct error *err)
{
	const struct function *function = test_case->function;
	const struct value *given = &test_case->definition->expected[p];
	const struct value *computed = &test_case->expected[p];
	const int *decimals = test_case->definition->decimals[p];
	struct pair pair = {
		.type = p < function->n_parameters
			? function->parameters[p].type
			: function->return_type,
	};

	for (size_t i = 0; i < computed->count; i++) {
		element_load(pair.type, given->data, i, &pair.given_number,
			&pair.given);
		element_load(pair.type, computed->data, i,
			&pair.computed_number, &pair.computed);
		pair.decimals = decimals ? decimals[i] : 0;
		if (!agrees(&pair))
			return fail(test_case, p, i, &pair, err);
	}
	return true;
}

static bool check_case(const struct test_case *test_case, struct error *err)
{
	const struct case_definition *definition = test_case->definition;

	if (!definition->expected)
		return true;
	for (size_t p = 0; p <= test_case->function->n_parameters; p++) {
		if (definition->expected[p].data &&
			test_case->expected[p].data &&
			!check_value(test_case, p, err))
			return false;
	}
	return true;
}

bool cases_check_expected(const struct case_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!check_case(&list->cases[i], err))
			return false;
	}
	return true;
}
