/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/cases_draw.h"
#include "grader/engine/random.h"
#include "tests/suites.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N, M, BATCH, FLAG, LETTER, SCALE, X, Y, F, OUTPUT, N_PARAMETERS };

/* Two inputs of a case stand in for the %s. */
static const char sample[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"mix\",\n"
	"\"title\": \"Mix\", \"summary\": \"Mixes\", \"seed\": 7,\n"
	"\"functions\": [{\"name\": \"mix\", \"parameters\": [\n"
	"{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	"{\"name\": \"m\", \"type\": \"int\", \"says\": \"a\"},\n"
	"{\"name\": \"batch\", \"type\": \"size_t\", \"dims\": [2], "
	"\"says\": \"b\"},\n"
	"{\"name\": \"flag\", \"type\": \"bool\", \"says\": \"d\"},\n"
	"{\"name\": \"letter\", \"type\": \"char\", \"says\": \"e\"},\n"
	"{\"name\": \"scale\", \"type\": \"float\", \"says\": \"f\"},\n"
	"{\"name\": \"X\", \"type\": \"double\", \"dims\": [\"*batch\", "
	"\"n\"], \"says\": \"h\"},\n"
	"{\"name\": \"Y\", \"type\": \"double\", \"dims\": [200], "
	"\"says\": \"h\"},\n"
	"{\"name\": \"F\", \"type\": \"float\", \"dims\": [200], "
	"\"nullable\": true, \"says\": \"i\"},\n"
	"{\"name\": \"output\", \"type\": \"float\", \"dims\": [\"m\", 2], "
	"\"direction\": \"out\", \"says\": \"l\"}]}],\n"
	"\"groups\": [{\"name\": \"all\", \"title\": \"All\", \"function\": "
	"\"mix\", \"points\": 1, \"cases\": [{\"name\": \"one\", %s "
	"\"inputs\": {%s}}]}]}\n";

#define DRAWN                                                                  \
	"\"n\": {\"integers\": [1, 6]}, \"m\": {\"integers\": [\"n\", 9]}, "   \
	"\"batch\": {\"integers\": [1, 3]}, \"flag\": {\"integers\": "         \
	"[0, 1]}, \"letter\": {\"integers\": [-128, 127]}, \"scale\": "        \
	"{\"normal\": [0, 1]}, \"X\": {\"uniform\": [-1, 1]}, \"Y\": "         \
	"{\"normal\": [10, 2]}, \"F\": {\"integers\": [\"n\", \"m\"]}"

static struct arena *arena;
static struct exercise exercise;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
}

static const struct case_definition *read_case(
	const char *more, const char *inputs)
{
	struct error err = {0};
	char *text = arena_printf(arena, &err, sample, more, inputs);

	exercise = (struct exercise){0};
	ck_assert_msg(
		exercise_read("x", text, strlen(text), arena, &exercise, &err),
		"%s", err.message);
	return &exercise.groups[0].cases[0];
}

static uint64_t draw(const struct case_definition *definition, uint64_t seed,
	struct value *arguments)
{
	struct random random = random_start(seed);
	struct error err = {0};

	ck_assert_msg(cases_draw(definition, &exercise.functions[0], &random,
			      arena, arguments, &err),
		"%s", err.message);
	return random_bits(&random);
}

START_TEST(all_draws_are_in_their_range_and_shape)
{
	const struct case_definition *definition = read_case("", DRAWN);

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct value v[N_PARAMETERS];
		const size_t *batch;

		draw(definition, seed, v);
		batch = v[BATCH].data;
		ck_assert(v[N].number >= 1 && v[N].number <= 6);
		ck_assert(v[M].number >= v[N].number && v[M].number <= 9);
		ck_assert_uint_eq(v[BATCH].count, 2);
		ck_assert(batch[0] >= 1 && batch[0] <= 3);
		ck_assert(v[FLAG].number <= 1);
		ck_assert((int64_t)v[LETTER].number >= -128 &&
			(int64_t)v[LETTER].number <= 127);
		ck_assert_double_eq(
			v[SCALE].real, (double)(float)v[SCALE].real);
		ck_assert_uint_eq(v[X].n_axes, 3);
		ck_assert_uint_eq(
			v[X].count, batch[0] * batch[1] * v[N].number);
		for (size_t i = 0; i < v[X].count; i++)
			ck_assert(fabs(((double *)v[X].data)[i]) <= 1);
		for (size_t i = 0; i < v[F].count; i++) {
			double real = (double)((float *)v[F].data)[i];

			ck_assert(real >= (double)v[N].number &&
				real <= (double)v[M].number &&
				real == floor(real));
		}
		ck_assert_ptr_null(v[OUTPUT].data);
		ck_assert_uint_eq(v[OUTPUT].count, 2 * v[M].number);
	}
}
END_TEST

START_TEST(the_same_seed_gives_the_same_bits)
{
	const struct case_definition *definition = read_case("", DRAWN);
	struct value one[N_PARAMETERS];
	struct value same[N_PARAMETERS];
	struct value other[N_PARAMETERS];

	ck_assert_uint_eq(draw(definition, 5, one), draw(definition, 5, same));
	ck_assert_uint_ne(draw(definition, 5, one), draw(definition, 6, other));
	ck_assert_uint_eq(one[LETTER].number, same[LETTER].number);
	ck_assert_mem_eq(one[Y].data, same[Y].data, 200 * sizeof(double));
	ck_assert_mem_ne(one[Y].data, other[Y].data, 200 * sizeof(double));
}
END_TEST

/* These very bits, on every machine: whoever changes them changes all cases of
   all exercises. */
START_TEST(a_case_stays_what_it_was)
{
	const struct case_request request = {.seed = 20261129};
	const struct case_definition *definition = read_case("", DRAWN);
	uint64_t seed = cases_seed(&request, "plain-1", false);
	struct value v[N_PARAMETERS];
	uint64_t generator;
	char said[512];

	generator = draw(definition, seed, v);
	snprintf(said, sizeof(said),
		"%016llx %llu %llu %llu %llu %lld %a %a %a %a %016llx",
		(unsigned long long)seed, (unsigned long long)v[N].number,
		(unsigned long long)v[M].number,
		(unsigned long long)((size_t *)v[BATCH].data)[0],
		(unsigned long long)v[FLAG].number,
		(long long)(int64_t)v[LETTER].number, v[SCALE].real,
		((double *)v[X].data)[0], ((double *)v[Y].data)[199],
		(double)((float *)v[F].data)[3], (unsigned long long)generator);
	ck_assert_str_eq(said,
		"f80308ec68791593 5 9 2 0 -35 -0x1.527628p+0 "
		"-0x1.da1dd6381a52ap-1 0x1.677c3d9881d5bp+3 0x1.cp+2 "
		"96c42f022ec5f1ec");
}
END_TEST

START_TEST(scalars_do_not_depend_on_arrays_nor_arrays_on_sizes)
{
	struct value before[N_PARAMETERS];
	struct value after[N_PARAMETERS];

	draw(read_case("", DRAWN), 5, before);
	draw(read_case("",
		     "\"n\": {\"integers\": [1, 6]}, \"m\": {\"integers\": "
		     "[\"n\", 9]}, \"batch\": {\"constant\": 3}, \"flag\": "
		     "{\"integers\": [0, 1]}, \"letter\": {\"integers\": "
		     "[-128, 127]}, \"scale\": {\"normal\": [0, 1]}, \"X\": "
		     "{\"constant\": 0.5}, \"Y\": {\"normal\": [10, 2]}, "
		     "\"F\": null"),
		5, after);
	for (size_t p = N; p <= M; p++)
		ck_assert_uint_eq(before[p].number, after[p].number);
	ck_assert_uint_eq(before[LETTER].number, after[LETTER].number);
	ck_assert_double_eq(before[SCALE].real, after[SCALE].real);
	ck_assert_mem_eq(before[Y].data, after[Y].data, 200 * sizeof(double));
	ck_assert(after[F].is_null);
	ck_assert_uint_eq(after[F].count, 0);
	ck_assert_double_eq(((double *)after[X].data)[3], 0.5);
}
END_TEST

START_TEST(a_normal_has_its_mean_and_deviation)
{
	const struct case_definition *definition = read_case("", DRAWN);
	double sum = 0;
	double squares = 0;
	size_t count = 0;

	for (uint64_t seed = 0; seed < 100; seed++) {
		struct value v[N_PARAMETERS];

		draw(definition, seed, v);
		for (size_t i = 0; i < v[Y].count; i++) {
			double off = ((double *)v[Y].data)[i] - 10;

			sum += off;
			squares += off * off;
			count++;
		}
	}
	ck_assert_double_eq_tol(sum / (double)count, 0, 0.06);
	ck_assert_double_eq_tol(sqrt(squares / (double)count), 2, 0.06);
}
END_TEST

START_TEST(a_generators_arrays_are_shaped_and_left)
{
	const struct case_definition *definition = read_case(
		"\"generator\": \"g\",",
		"\"n\": 3, \"m\": {\"integers\": [2, 4]}, \"batch\": [2, 5], "
		"\"flag\": true, \"letter\": 1, \"scale\": 2, \"F\": null");
	struct value v[N_PARAMETERS];

	draw(definition, 9, v);
	ck_assert_uint_eq(v[X].count, 30);
	ck_assert_ptr_null(v[X].data);
	ck_assert_ptr_nonnull(v[BATCH].data);
	ck_assert(v[F].is_null);
	ck_assert_uint_eq(v[N].number, 3);
}
END_TEST

START_TEST(bounds_the_wrong_way_round_are_said)
{
	const struct case_definition *definition = read_case("",
		"\"n\": {\"integers\": [5, 5]}, \"m\": {\"integers\": [2, 2]}, "
		"\"batch\": [1, 1], \"flag\": true, \"letter\": 1, \"scale\": "
		"2, \"X\": {\"constant\": 1}, \"Y\": {\"integers\": [\"n\", "
		"\"m\"]}, \"F\": null");
	struct random random = random_start(1);
	struct value v[N_PARAMETERS];
	struct error err = {0};

	ck_assert(!cases_draw(
		definition, &exercise.functions[0], &random, arena, v, &err));
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_str_eq(err.message, "the integers of Y go from 5 down to 2");
}
END_TEST

START_TEST(a_seed_comes_from_run_name_and_for_hidden_ones_the_secret)
{
	const struct case_request plain = {.seed = 1};
	const struct case_request other = {.seed = 2};
	const struct case_request secret = {
		.seed = 1, .secret = "s\0t", .secret_len = 3};
	uint64_t seed = cases_seed(&plain, "a", false);

	ck_assert_uint_eq(seed, cases_seed(&plain, "a", true));
	ck_assert_uint_eq(seed, cases_seed(&secret, "a", false));
	ck_assert_uint_ne(seed, cases_seed(&secret, "a", true));
	ck_assert_uint_ne(seed, cases_seed(&other, "a", false));
	ck_assert_uint_ne(seed, cases_seed(&plain, "b", false));
}
END_TEST

START_TEST(integers_reach_both_ends_evenly)
{
	struct random random = random_start(3);
	size_t counts[5] = {0};

	for (int i = 0; i < 50000; i++) {
		int64_t number = random_integer(&random, -2, 2);

		ck_assert(number >= -2 && number <= 2);
		counts[number + 2]++;
	}
	for (size_t i = 0; i < 5; i++)
		ck_assert(counts[i] > 9500 && counts[i] < 10500);
	ck_assert_int_eq(random_integer(&random, 7, 7), 7);
	(void)random_integer(&random, INT64_MIN, INT64_MAX);
	for (int i = 0; i < 1000; i++) {
		double number = random_dyadic(&random, -1, 1, 3);

		ck_assert(fabs(number) <= 1 && number * 8 == floor(number * 8));
	}
}
END_TEST

Suite *cases_draw_suite(void)
{
	Suite *suite = suite_create("cases_draw");
	TCase *tcase = tcase_create("cases_draw");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, all_draws_are_in_their_range_and_shape);
	tcase_add_test(tcase, the_same_seed_gives_the_same_bits);
	tcase_add_test(tcase, a_case_stays_what_it_was);
	tcase_add_test(
		tcase, scalars_do_not_depend_on_arrays_nor_arrays_on_sizes);
	tcase_add_test(tcase, a_normal_has_its_mean_and_deviation);
	tcase_add_test(tcase, a_generators_arrays_are_shaped_and_left);
	tcase_add_test(tcase, bounds_the_wrong_way_round_are_said);
	tcase_add_test(tcase,
		a_seed_comes_from_run_name_and_for_hidden_ones_the_secret);
	tcase_add_test(tcase, integers_reach_both_ends_evenly);
	suite_add_tcase(suite, tcase);
	return suite;
}
