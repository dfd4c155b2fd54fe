/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/function.h"
#include "tests/suites.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/*
 * void attend(size_t n, const size_t batch[n], size_t T, int w, const double
 * *Q, const bool *mask, float output[T][w], double *weights), Q being
 * (batch..., T, w), mask the same or NULL, weights (batch..., 2).
 */
enum { N, BATCH, T, W, Q, MASK, OUTPUT, WEIGHTS, N_PARAMETERS };

static const struct dimension n_dims[] = {{DIMENSION_PARAMETER, 0, N}};
static const struct dimension q_dims[] = {{DIMENSION_SPLICE, 0, BATCH},
	{DIMENSION_PARAMETER, 0, T}, {DIMENSION_PARAMETER, 0, W}};
static const struct dimension output_dims[] = {
	{DIMENSION_PARAMETER, 0, T}, {DIMENSION_PARAMETER, 0, W}};
static const struct dimension weights_dims[] = {
	{DIMENSION_SPLICE, 0, BATCH}, {DIMENSION_NUMBER, 2, 0}};

static const struct parameter parameters[N_PARAMETERS] = {
	[N] = {.name = "n", .type = TYPE_SIZE, .says = ""},
	[BATCH] = {.name = "batch",
		.type = TYPE_SIZE,
		.is_array = true,
		.open = true,
		.dimensions = n_dims,
		.n_dimensions = 1,
		.says = ""},
	[T] = {.name = "T", .type = TYPE_SIZE, .says = ""},
	[W] = {.name = "w", .type = TYPE_INT, .says = ""},
	[Q] = {.name = "Q",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.dimensions = q_dims,
		.n_dimensions = 3,
		.says = ""},
	[MASK] = {.name = "mask",
		.type = TYPE_BOOL,
		.is_array = true,
		.nullable = true,
		.dimensions = q_dims,
		.n_dimensions = 3,
		.says = ""},
	[OUTPUT] = {.name = "output",
		.type = TYPE_FLOAT,
		.is_array = true,
		.output = true,
		.dimensions = output_dims,
		.n_dimensions = 2,
		.says = ""},
	[WEIGHTS] = {.name = "weights",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.output = true,
		.dimensions = weights_dims,
		.n_dimensions = 2,
		.says = ""},
};

static const struct function attend = {.name = "attend",
	.parameters = parameters,
	.n_parameters = N_PARAMETERS,
	.returns = true,
	.return_type = TYPE_DOUBLE,
	.return_says = "the sum"};

static struct arena *arena;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
	arena = NULL;
}

START_TEST(every_type_of_json_is_parsed_and_spelled)
{
	static const struct {
		const char *name;
		size_t bytes;
		enum value_type type;
		bool is_float;
	} rows[] = {
		{"size_t", 8, TYPE_SIZE, false},
		{"int", 4, TYPE_INT, false},
		{"double", 8, TYPE_DOUBLE, true},
		{"float", 4, TYPE_FLOAT, true},
		{"bool", 1, TYPE_BOOL, false},
		{"char", 1, TYPE_CHAR, false},
	};
	enum value_type type = TYPE_SIZE;

	for (size_t i = 0; i < COUNT(rows); i++) {
		ck_assert(type_parse(rows[i].name, &type));
		ck_assert_int_eq(type, rows[i].type);
		ck_assert_str_eq(type_name(type), rows[i].name);
		ck_assert_uint_eq(type_bytes(type), rows[i].bytes);
		ck_assert_int_eq(type_is_float(type), rows[i].is_float);
	}
	ck_assert(!type_parse("uint64_t", &type));
	ck_assert(!type_parse("long", &type));
	ck_assert_str_eq(type_name(TYPE_UINT64), "uint64_t");
	ck_assert_uint_eq(type_bytes(TYPE_UINT64), 8);
}
END_TEST

START_TEST(an_element_comes_back_as_it_was_stored)
{
	static const struct {
		uint64_t number;
		double real;
		enum value_type type;
	} rows[] = {
		{UINT64_MAX, 0, TYPE_SIZE},
		{UINT64_MAX - 1, 0, TYPE_UINT64},
		{(uint64_t)INT64_C(-2147483648), 0, TYPE_INT},
		{2147483647, 0, TYPE_INT},
		{0, 0.1, TYPE_DOUBLE},
		{0, 0.125, TYPE_FLOAT},
		{1, 0, TYPE_BOOL},
		{(uint64_t)INT64_C(-128), 0, TYPE_CHAR},
		{127, 0, TYPE_CHAR},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		_Alignas(8) unsigned char cells[32] = {0};
		static const unsigned char data[8];
		size_t bytes = type_bytes(rows[i].type);
		uint64_t number = 3;
		double real = 3;

		element_store(
			rows[i].type, cells, 1, rows[i].number, rows[i].real);
		element_load(rows[i].type, cells, 1, &number, &real);
		ck_assert_uint_eq(number, rows[i].number);
		ck_assert_double_eq(real, rows[i].real);
		/* Nothing but that element. */
		ck_assert_mem_eq(cells, data, bytes);
		ck_assert_mem_eq(cells + 2 * bytes, data, bytes);
	}
}
END_TEST

START_TEST(functions_and_parameters_are_found_by_name)
{
	size_t index = 7;

	ck_assert_ptr_eq(function_find(&attend, 1, "attend", &index), &attend);
	ck_assert_uint_eq(index, 0);
	ck_assert_ptr_null(function_find(&attend, 1, "solve", &index));
	ck_assert_uint_eq(function_parameter(&attend, "mask"), MASK);
	ck_assert_uint_eq(function_parameter(&attend, "K"), N_PARAMETERS);
	ck_assert(function_is_spliced(&attend, BATCH));
	ck_assert(!function_is_spliced(&attend, N));
}
END_TEST

/* Sizes in, the shape of Q or what is wrong with it out. */
static const struct {
	const char *rule;
	size_t batch[AXES_MAX];
	size_t n;
	uint64_t t;
	int64_t w;
	const char *shape;
	const char *wrong;
} shapes[] = {
	{"no batch axes", {0}, 0, 5, 3, "5 rows of 3", NULL},
	{"one batch axis", {2}, 1, 5, 3, "2 x 5 x 3", NULL},
	{"as many axes as can be", {1, 2, 1, 2, 1, 2}, 6, 3, 4,
		"1 x 2 x 1 x 2 x 1 x 2 x 3 x 4", NULL},
	{"an axis too many", {1, 1, 1, 1, 1, 1, 1}, 7, 3, 4, NULL,
		"Q has more than 8 axes"},
	{"a size of 0", {0}, 0, 0, 3, NULL,
		"Q has no elements: its size T is 0"},
	{"a negative size", {0}, 0, 1, -3, NULL,
		"Q has no elements: its size w is -3"},
	{"a batch of 0", {2, 0}, 2, 1, 3, NULL,
		"Q has no elements: its size batch[1] is 0"},
	{"the biggest array", {0}, 0, 1 << 20, 2, "1048576 rows of 2", NULL},
	{"one row too many", {0}, 0, (1 << 20) + 1, 2, NULL,
		"Q is too big: 1048577 rows of 2 of double, more than 16 "
		"MiB"},
	{"a product that overflows", {SIZE_MAX, 2}, 2, 2, 2, NULL,
		"Q is too big: 9223372036854775807 x 2 x 2 x 2 of double, more "
		"than 16 MiB"},
};

START_TEST(an_array_is_as_big_as_the_arguments_before_it_say)
{
	size_t batch[AXES_MAX];
	struct value arguments[N_PARAMETERS] = {
		[N] = {.number = shapes[_i].n},
		[BATCH] = {.data = batch},
		[T] = {.number = shapes[_i].t},
		[W] = {.number = (uint64_t)shapes[_i].w},
	};
	struct error err = {0};
	char shape[128];
	bool good;

	memcpy(batch, shapes[_i].batch, sizeof(batch));
	ck_assert_msg(function_shape(&attend, BATCH, arguments, &err), "%s: %s",
		shapes[_i].rule, err.message);
	ck_assert_uint_eq(arguments[BATCH].n_axes, 1);
	ck_assert_uint_eq(arguments[BATCH].count, shapes[_i].n);

	good = function_shape(&attend, Q, arguments, &err);
	ck_assert_msg(good == (shapes[_i].shape != NULL), "%s: %s",
		shapes[_i].rule, err.message);
	if (!good) {
		ck_assert_int_eq(err.kind, ERROR_EXERCISE);
		ck_assert_str_eq(err.message, shapes[_i].wrong);
		ck_assert_uint_eq(arguments[Q].n_axes, 0);
		return;
	}
	shape_describe(
		arguments[Q].shape, arguments[Q].n_axes, shape, sizeof(shape));
	ck_assert_str_eq(shape, shapes[_i].shape);
}
END_TEST

START_TEST(neither_a_scalar_nor_an_array_not_given_has_a_shape)
{
	struct value arguments[N_PARAMETERS] = {
		[MASK] = {.is_null = true, .count = 9, .n_axes = 9},
		[T] = {.count = 9, .n_axes = 9},
	};
	struct error err = {0};

	ck_assert(function_shape(&attend, MASK, arguments, &err));
	ck_assert_uint_eq(arguments[MASK].count, 0);
	ck_assert_uint_eq(arguments[MASK].n_axes, 0);
	ck_assert(function_shape(&attend, T, arguments, &err));
	ck_assert_uint_eq(arguments[T].count, 0);
	ck_assert_uint_eq(arguments[T].n_axes, 0);
}
END_TEST

START_TEST(a_list_that_is_not_given_adds_no_axes)
{
	struct value arguments[N_PARAMETERS] = {
		[BATCH] = {.is_null = true},
		[T] = {.number = 4},
		[W] = {.number = 5},
	};
	struct error err = {0};

	ck_assert(function_shape(&attend, Q, arguments, &err));
	ck_assert_uint_eq(arguments[Q].n_axes, 2);
	ck_assert_uint_eq(arguments[Q].count, 20);
}
END_TEST

START_TEST(a_shape_is_described_for_people)
{
	static const struct {
		size_t shape[3];
		size_t n_axes;
		size_t element;
		const char *described;
		const char *index;
	} rows[] = {
		{{0}, 0, 0, "1", ""},
		{{18}, 1, 17, "18", "[17]"},
		{{5, 3}, 2, 14, "5 rows of 3", "[4][2]"},
		{{1, 3}, 2, 1, "1 row of 3", "[0][1]"},
		{{2, 3, 4}, 3, 17, "2 x 3 x 4", "[1][1][1]"},
	};
	char out[64];

	for (size_t i = 0; i < COUNT(rows); i++) {
		shape_describe(rows[i].shape, rows[i].n_axes, out, sizeof(out));
		ck_assert_str_eq(out, rows[i].described);
		shape_describe_index(rows[i].shape, rows[i].n_axes,
			rows[i].element, out, sizeof(out));
		ck_assert_str_eq(out, rows[i].index);
	}
	shape_describe(rows[4].shape, 3, out, 6);
	ck_assert_str_eq(out, "2 x 3");
	shape_describe_index(rows[4].shape, 3, 17, out, 5);
	ck_assert_str_eq(out, "[1][");
}
END_TEST

START_TEST(the_reference_gives_a_tolerance_for_each_floating_output)
{
	static const char *const added[] = {"output_tolerance",
		"weights_tolerance", "result", "result_tolerance"};
	struct function reference = {0};
	struct error err = {0};

	ck_assert(function_reference(&attend, arena, &reference, &err));
	ck_assert_str_eq(reference.name, "reference_attend");
	ck_assert(!reference.returns);
	ck_assert_uint_eq(reference.n_parameters, N_PARAMETERS + COUNT(added));
	for (size_t p = 0; p < N_PARAMETERS; p++)
		ck_assert_str_eq(
			reference.parameters[p].name, parameters[p].name);
	for (size_t i = 0; i < COUNT(added); i++) {
		const struct parameter *p =
			&reference.parameters[N_PARAMETERS + i];

		ck_assert_str_eq(p->name, added[i]);
		ck_assert_int_eq(p->type, TYPE_DOUBLE);
		ck_assert(p->output && p->is_array);
	}
	ck_assert_uint_eq(
		reference.parameters[N_PARAMETERS].dimensions[0].parameter, T);
	ck_assert_uint_eq(
		reference.parameters[N_PARAMETERS + 1].dimensions[0].parameter,
		BATCH);
	ck_assert_uint_eq(
		reference.parameters[N_PARAMETERS + 2].dimensions[0].number, 1);
}
END_TEST

START_TEST(a_result_that_is_not_floating_has_no_tolerance)
{
	struct function counts = attend;
	struct function reference = {0};
	struct error err = {0};

	counts.return_type = TYPE_INT;
	ck_assert(function_reference(&counts, arena, &reference, &err));
	ck_assert_uint_eq(reference.n_parameters, N_PARAMETERS + 3);
	ck_assert_int_eq(reference.parameters[N_PARAMETERS + 2].type, TYPE_INT);
}
END_TEST

START_TEST(a_generator_writes_the_inputs_but_for_lists_of_sizes)
{
	static const struct {
		const char *name;
		bool output;
	} rows[] = {{"seed", false}, {"n", false}, {"batch", false},
		{"T", false}, {"w", false}, {"Q", true}, {"mask", true},
		{"argument", false}};
	struct function generator = {0};
	struct error err = {0};

	ck_assert(function_generator(
		&attend, "gentle", 2, arena, &generator, &err));
	ck_assert_str_eq(generator.name, "generate_gentle");
	ck_assert_uint_eq(generator.n_parameters, COUNT(rows));
	for (size_t p = 0; p < COUNT(rows); p++) {
		ck_assert_str_eq(generator.parameters[p].name, rows[p].name);
		ck_assert_int_eq(
			generator.parameters[p].output, rows[p].output);
	}
	/* Everything has moved one on, behind the seed. */
	ck_assert_uint_eq(generator.parameters[5].dimensions[0].parameter, 2);
	ck_assert_uint_eq(generator.parameters[5].dimensions[2].parameter, 4);
	ck_assert_uint_eq(generator.parameters[7].dimensions[0].number, 2);
	ck_assert(!generator.parameters[7].nullable);
}
END_TEST

START_TEST(an_empty_argument_list_is_passed_as_null)
{
	struct function generator = {0};
	struct value arguments[8] = {[7] = {.is_null = true}};
	struct error err = {0};

	ck_assert(function_generator(
		&attend, "gentle", 0, arena, &generator, &err));
	ck_assert(generator.parameters[7].nullable);
	ck_assert(function_shape(&generator, 7, arguments, &err));
	ck_assert_uint_eq(arguments[7].count, 0);
}
END_TEST

/* What explain_attend has behind the parameters of attend, and steps_attend. */
static const struct {
	const char *name;
	bool in_steps, is_array, output;
	enum value_type type;
} told[] = {
	{"output", true, true, false, TYPE_FLOAT},
	{"weights", true, true, false, TYPE_DOUBLE},
	{"result", true, false, false, TYPE_DOUBLE},
	{"expected_output", false, true, false, TYPE_FLOAT},
	{"expected_weights", false, true, false, TYPE_DOUBLE},
	{"expected_result", false, false, false, TYPE_DOUBLE},
	{"text", true, true, true, TYPE_CHAR},
};

static void check_told(const struct function *function, bool steps)
{
	size_t p = OUTPUT;

	for (size_t i = 0; i < COUNT(told); i++) {
		const struct parameter *parameter = &function->parameters[p];

		if (steps && !told[i].in_steps)
			continue;
		ck_assert_uint_lt(p++, function->n_parameters);
		ck_assert_str_eq(parameter->name, told[i].name);
		ck_assert_int_eq(parameter->is_array, told[i].is_array);
		ck_assert_int_eq(parameter->output, told[i].output);
		ck_assert_int_eq(parameter->type, told[i].type);
	}
	ck_assert_uint_eq(p, function->n_parameters);
}

START_TEST(an_explanation_is_told_what_came_out_and_what_was_expected)
{
	struct function explain = {0};
	struct error err = {0};
	size_t text;

	ck_assert(function_explain(&attend, arena, &explain, &err));
	ck_assert_str_eq(explain.name, "explain_attend");
	ck_assert(explain.returns);
	ck_assert_int_eq(explain.return_type, TYPE_BOOL);
	check_told(&explain, false);
	text = explain.n_parameters - 1;
	ck_assert_uint_eq(explain.parameters[text].dimensions[0].number, 512);
	/* What is expected is as big as what came out. */
	ck_assert_uint_eq(
		explain.parameters[OUTPUT + 3].dimensions[1].parameter, W);
}
END_TEST

START_TEST(steps_are_told_what_came_out_and_return_nothing)
{
	struct function steps = {0};
	struct error err = {0};
	size_t text;

	ck_assert(function_steps(&attend, arena, &steps, &err));
	ck_assert_str_eq(steps.name, "steps_attend");
	ck_assert(!steps.returns);
	check_told(&steps, true);
	text = steps.n_parameters - 1;
	ck_assert_uint_eq(steps.parameters[text].dimensions[0].number, 8192);
}
END_TEST

START_TEST(too_many_parameters_are_an_error)
{
	struct parameter many[PARAMETERS_MAX];
	struct function function = attend;
	struct function out = {0};
	struct error err = {0};

	for (size_t i = 0; i < PARAMETERS_MAX; i++)
		many[i] = parameters[T];
	function.parameters = many;
	function.n_parameters = PARAMETERS_MAX;
	ck_assert(!function_reference(&function, arena, &out, &err));
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_str_eq(err.message,
		"reference_attend would have more than 32 parameters");
	ck_assert(!function_generator(&function, "x", 0, arena, &out, &err));
	ck_assert_str_eq(
		err.message, "generate_x would have more than 32 parameters");
}
END_TEST

Suite *function_suite(void)
{
	Suite *suite = suite_create("function");
	TCase *tcase = tcase_create("function");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, every_type_of_json_is_parsed_and_spelled);
	tcase_add_test(tcase, an_element_comes_back_as_it_was_stored);
	tcase_add_test(tcase, functions_and_parameters_are_found_by_name);
	tcase_add_loop_test(tcase,
		an_array_is_as_big_as_the_arguments_before_it_say, 0,
		COUNT(shapes));
	tcase_add_test(
		tcase, neither_a_scalar_nor_an_array_not_given_has_a_shape);
	tcase_add_test(tcase, a_list_that_is_not_given_adds_no_axes);
	tcase_add_test(tcase, a_shape_is_described_for_people);
	tcase_add_test(tcase,
		the_reference_gives_a_tolerance_for_each_floating_output);
	tcase_add_test(tcase, a_result_that_is_not_floating_has_no_tolerance);
	tcase_add_test(
		tcase, a_generator_writes_the_inputs_but_for_lists_of_sizes);
	tcase_add_test(tcase, an_empty_argument_list_is_passed_as_null);
	tcase_add_test(tcase,
		an_explanation_is_told_what_came_out_and_what_was_expected);
	tcase_add_test(tcase, steps_are_told_what_came_out_and_return_nothing);
	tcase_add_test(tcase, too_many_parameters_are_an_error);
	suite_add_tcase(suite, tcase);
	return suite;
}
