/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/shrink.h"
#include "grader/engine/shrink_number.h"
#include "tests/suites.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/*
 * void f(size_t n, size_t m, size_t t, const double A[n][m],
 *        const double B[m][n], const bool mask[n] or NULL, bool flag, int
 * level, const size_t list[t], const float C[list..., m], double out[n])
 */
enum { N, M, T, A, B, MASK, FLAG, LEVEL, LIST, C, OUT, N_PARAMETERS };

static const struct dimension a_dims[] = {
	{DIMENSION_PARAMETER, 0, N}, {DIMENSION_PARAMETER, 0, M}};
static const struct dimension b_dims[] = {
	{DIMENSION_PARAMETER, 0, M}, {DIMENSION_PARAMETER, 0, N}};
static const struct dimension list_dims[] = {{DIMENSION_PARAMETER, 0, T}};
static const struct dimension c_dims[] = {
	{DIMENSION_SPLICE, 0, LIST}, {DIMENSION_PARAMETER, 0, M}};

#define ARRAY(name_, type_, dims_)                                             \
	.name = (name_), .type = (type_), .is_array = true,                    \
	.dimensions = (dims_), .n_dimensions = COUNT(dims_), .says = ""

static const struct dimension n_dims[] = {{DIMENSION_PARAMETER, 0, N}};

static const struct parameter parameters[N_PARAMETERS] = {
	[N] = {.name = "n", .type = TYPE_SIZE, .says = ""},
	[M] = {.name = "m", .type = TYPE_SIZE, .says = ""},
	[T] = {.name = "t", .type = TYPE_SIZE, .says = ""},
	[A] = {ARRAY("A", TYPE_DOUBLE, a_dims)},
	[B] = {ARRAY("B", TYPE_DOUBLE, b_dims)},
	[MASK] = {ARRAY("mask", TYPE_BOOL, n_dims), .nullable = true},
	[FLAG] = {.name = "flag", .type = TYPE_BOOL, .says = ""},
	[LEVEL] = {.name = "level", .type = TYPE_INT, .says = ""},
	[LIST] = {ARRAY("list", TYPE_SIZE, list_dims), .open = true},
	[C] = {ARRAY("C", TYPE_FLOAT, c_dims)},
	[OUT] = {ARRAY("out", TYPE_DOUBLE, n_dims), .output = true},
};

static const struct function function = {.name = "f",
	.parameters = parameters,
	.n_parameters = N_PARAMETERS,
	.return_says = ""};

static struct arena *arena;
static struct value arguments[N_PARAMETERS];
static size_t rounds;
static size_t tried;

/* n = 5, m = 4, list = {2, 3}; each element of A and B tells its place. */
static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	memset(arguments, 0, sizeof(arguments));
	rounds = tried = 0;
	arguments[N].number = 5;
	arguments[M].number = 4;
	arguments[T].number = 2;
	arguments[FLAG].number = 1;
	arguments[LEVEL].number = (uint64_t)-1234;
	for (size_t p = 0; p < N_PARAMETERS; p++) {
		struct value *value = &arguments[p];

		if (!parameters[p].is_array)
			continue;
		ck_assert(function_shape(&function, p, arguments, &err));
		if (p == OUT)
			continue;
		value->data = arena_alloc(arena, value->count,
			type_bytes(parameters[p].type), &err);
		for (size_t i = 0; i < value->count; i++)
			element_store(parameters[p].type, value->data, i,
				p == LIST ? i + 2 : 1, 100.25 + (double)i);
	}
}

static void tear_down(void)
{
	arena_destroy(arena);
}

static double real_at(const struct shrink_case *c, size_t p, size_t i)
{
	uint64_t number;
	double real;

	element_load(
		parameters[p].type, c->arguments[p].data, i, &number, &real);
	return real;
}

/* Every candidate is one that could be called. */
static void check_shapes(const struct shrink_case *c)
{
	struct value shaped[N_PARAMETERS];
	struct error err = {0};

	memcpy(shaped, c->arguments, sizeof(shaped));
	ck_assert_uint_ge(c->repeat, 1);
	for (size_t p = 0; p < N_PARAMETERS; p++) {
		if (!parameters[p].is_array)
			continue;
		ck_assert_msg(function_shape(&function, p, shaped, &err), "%s",
			err.message);
		ck_assert_uint_eq(shaped[p].count, c->arguments[p].count);
		ck_assert_uint_eq(shaped[p].n_axes, c->arguments[p].n_axes);
	}
}

typedef bool predicate(const struct shrink_case *c);

/* A context that holds a predicate. */
struct asked {
	predicate *fails;
};

static bool test(void *context, const struct shrink_case *candidates,
	size_t count, struct arena *own, size_t *found_out, struct error *err)
{
	const struct asked *asked = context;

	(void)own;
	(void)err;
	rounds++;
	ck_assert_uint_gt(count, 0);
	for (*found_out = 0; *found_out < count; (*found_out)++) {
		tried++;
		check_shapes(&candidates[*found_out]);
		if (asked->fails(&candidates[*found_out]))
			break;
	}
	return true;
}

static struct shrink_case shrunk(predicate *fails, size_t repeat, size_t most)
{
	struct asked asked = {fails};
	const struct shrink_request request = {
		.function = &function,
		.start = {arguments, repeat},
		.test = test,
		.context = &asked,
		.rounds_max = most,
	};
	struct shrink_case out;
	struct error err = {0};

	ck_assert_msg(shrink(&request, arena, &out, &err), "%s", err.message);
	check_shapes(&out);
	return out;
}

static bool always(const struct shrink_case *c)
{
	(void)c;
	return true;
}

START_TEST(what_always_fails_becomes_all_ones_and_zeros)
{
	struct shrink_case c = shrunk(always, 3, 1000);

	ck_assert_uint_eq(c.repeat, 1);
	ck_assert_uint_eq(c.arguments[N].number, 1);
	ck_assert_uint_eq(c.arguments[M].number, 1);
	ck_assert_uint_eq(c.arguments[FLAG].number, 0);
	ck_assert_int_eq((int)c.arguments[LEVEL].number, 0);
	ck_assert(c.arguments[MASK].is_null);
	ck_assert_double_eq(real_at(&c, A, 0), 0);
	ck_assert_double_eq(real_at(&c, C, 0), 0);
	/* Two axes stay two, each of one. */
	ck_assert_uint_eq(c.arguments[T].number, 2);
	ck_assert_uint_eq(c.arguments[C].count, 1);
	/* What it started from is as it was. */
	ck_assert_double_eq(((double *)arguments[A].data)[19], 119.25);
	ck_assert_uint_eq(((size_t *)arguments[LIST].data)[1], 3);
}
END_TEST

/* A[3][2] of the start is 114.25, B[2][3] is 113.25, C[1][2][2] is 122.25. */
static bool has_three(const struct shrink_case *c)
{
	size_t found = 0;

	for (size_t i = 0; i < c->arguments[A].count; i++)
		found += real_at(c, A, i) == 114.25;
	for (size_t i = 0; i < c->arguments[B].count; i++)
		found += real_at(c, B, i) == 113.25;
	for (size_t i = 0; i < c->arguments[C].count; i++)
		found += real_at(c, C, i) == 122.25;
	return found == 3;
}

START_TEST(slices_are_left_out_of_every_array_of_that_size)
{
	struct shrink_case c = shrunk(has_three, 1, 1000);

	ck_assert_uint_eq(c.arguments[A].count, 1);
	ck_assert_uint_eq(c.arguments[B].count, 1);
	ck_assert_uint_eq(c.arguments[C].count, 1);
	ck_assert_double_eq(real_at(&c, A, 0), 114.25);
	ck_assert_double_eq(real_at(&c, B, 0), 113.25);
	ck_assert_double_eq(real_at(&c, C, 0), 122.25);
}
END_TEST

static bool is_wide_and_large(const struct shrink_case *c)
{
	bool flag = c->arguments[FLAG].number;
	double sum = 0;

	for (size_t i = 0; i < c->arguments[A].count; i++)
		sum += real_at(c, A, i);
	return flag && c->arguments[N].number >= 3 &&
		c->arguments[M].number <= c->arguments[N].number && sum > 709 &&
		c->repeat >= 2 && !c->arguments[MASK].is_null;
}

START_TEST(what_is_needed_stays)
{
	struct shrink_case c = shrunk(is_wide_and_large, 5, 1000);
	double sum = 0;

	ck_assert_uint_eq(c.repeat, 2);
	ck_assert_uint_eq(c.arguments[FLAG].number, 1);
	ck_assert(!c.arguments[MASK].is_null);
	ck_assert(is_wide_and_large(&c));
	/* No value of 709 or more could be had: each is a whole number. */
	for (size_t i = 0; i < c.arguments[A].count; i++) {
		ck_assert_double_eq(
			real_at(&c, A, i), trunc(real_at(&c, A, i)));
		sum += real_at(&c, A, i);
	}
	ck_assert_double_lt(sum, 900);
}
END_TEST

START_TEST(the_same_answers_give_the_same_result)
{
	struct shrink_case one = shrunk(is_wide_and_large, 5, 1000);
	size_t before = tried;
	struct shrink_case other = shrunk(is_wide_and_large, 5, 1000);

	ck_assert_uint_eq(tried, 2 * before);
	ck_assert_mem_eq(one.arguments[A].data, other.arguments[A].data,
		one.arguments[A].count * sizeof(double));
}
END_TEST

START_TEST(it_stops_when_the_rounds_run_out)
{
	struct shrink_case c = shrunk(is_wide_and_large, 5, 7);

	ck_assert_uint_eq(rounds, 7);
	ck_assert(is_wide_and_large(&c));
}
END_TEST

static bool never(const struct shrink_case *c)
{
	(void)c;
	return false;
}

START_TEST(what_cannot_be_made_smaller_is_left_as_it_was)
{
	struct shrink_case c = shrunk(never, 1, 1000);

	ck_assert_mem_eq(
		c.arguments[A].data, arguments[A].data, 20 * sizeof(double));
	ck_assert_uint_lt(rounds, 1000);
}
END_TEST

/* A number, and what is tried in its place, in order; NAN ends them. */
static const struct {
	enum value_type type;
	double number;
	double simpler[24];
} numbers[] = {
	{TYPE_DOUBLE, 0, {NAN}},
	{TYPE_DOUBLE, 1, {0, NAN}},
	{TYPE_DOUBLE, -1, {0, 1, NAN}},
	{TYPE_DOUBLE, 0.5, {0, 1, -1, 1, 0, NAN}},
	{TYPE_DOUBLE, -2.25, {0, 1, -1, 2, -2, -1, -2, -2, -2.2, NAN}},
	{TYPE_DOUBLE, 2001.5,
		{0, 1, -1, 2, -2, 3, -3, 4, 5, 1, 10, 100, 1000, 2001, 2000,
			2000, 2000, 2001, NAN}},
	{TYPE_SIZE, 3, {0, 1, 2, 1, NAN}},
	{TYPE_INT, -3, {0, 1, -1, 2, -2, 3, -1, NAN}},
	{TYPE_BOOL, 1, {0, NAN}},
	{TYPE_BOOL, 0, {NAN}},
	{TYPE_CHAR, 65, {NAN}},
};

START_TEST(simpler_numbers_come_in_order)
{
	enum value_type type = numbers[_i].type;

	for (size_t k = 0;; k++) {
		double expected = numbers[_i].simpler[k];
		double real = numbers[_i].number;
		uint64_t number = (uint64_t)(int64_t)real;
		bool more;

		if (type_is_float(type))
			number = 0;
		else
			real = 0;
		more = shrink_number(type, k, &number, &real);
		ck_assert_msg(more == !isnan(expected), "%g: number %zu is %g",
			numbers[_i].number, k, real);
		if (!more)
			break;
		if (!type_is_float(type))
			real = (double)(int64_t)number;
		ck_assert_msg(real == expected, "%g: number %zu is %.17g",
			numbers[_i].number, k, real);
	}
}
END_TEST

Suite *shrink_suite(void)
{
	Suite *suite = suite_create("shrink");
	TCase *tcase = tcase_create("shrink");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, what_always_fails_becomes_all_ones_and_zeros);
	tcase_add_test(tcase, slices_are_left_out_of_every_array_of_that_size);
	tcase_add_test(tcase, what_is_needed_stays);
	tcase_add_test(tcase, the_same_answers_give_the_same_result);
	tcase_add_test(tcase, it_stops_when_the_rounds_run_out);
	tcase_add_test(tcase, what_cannot_be_made_smaller_is_left_as_it_was);
	tcase_add_loop_test(
		tcase, simpler_numbers_come_in_order, 0, COUNT(numbers));
	suite_add_tcase(suite, tcase);
	return suite;
}
