/* SPDX-License-Identifier: MIT */

/*
 * Submissions that make two of the known mistakes of attention at once: both
 * are to be named, mostly, and hardly ever another one.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/engine/random.h"
#include "grader/engine/tools.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/jail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sanitizers look at the grader, not at how well it guesses. */
#ifdef __SANITIZE_ADDRESS__
enum { N_PAIRS = 5, BOTH_MIN = 3, WRONG_MAX = 1 };
#else
enum { N_PAIRS = 60, BOTH_MIN = 42, WRONG_MAX = 1 };
#endif

static struct arena *arena;
static struct folder cache;
static struct tools tools;
static struct exercise exercise;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	folder_make(&cache);
	tools = (struct tools){.cancel = -1, .cache_dir = cache.path};
	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	tools.sandbox = jail_create(tools.toolchain.reads);
	ck_assert_msg(
		exercise_load("exercises/attention", arena, &exercise, &err),
		"%s", err.message);
}

static void tear_down(void)
{
	sandbox_destroy(tools.sandbox);
	folder_remove(&cache);
	arena_destroy(arena);
}

struct pair {
	size_t stages[2];
	const struct mistake *mistakes[2];
	int choices[2];
};

/* Of two stages, each mistake as likely as another of the same stage. */
static struct pair draw_pair(struct random *random)
{
	struct pair pair;

	do {
		for (int i = 0; i < 2; i++)
			pair.stages[i] = (size_t)random_integer(
				random, 0, (int64_t)exercise.n_stages - 1);
	} while (pair.stages[0] == pair.stages[1]);
	for (int i = 0; i < 2; i++) {
		const struct stage *stage = &exercise.stages[pair.stages[i]];
		int64_t m = random_integer(
			random, 0, (int64_t)stage->n_mistakes - 1);

		pair.mistakes[i] = &stage->mistakes[m];
		pair.choices[i] = (int)m + 1;
	}
	return pair;
}

/* mistakes.c as a submission. */
static void put_submission(struct text *out, const struct pair *pair)
{
	static const char include[] = "#include \"exercise.h\"";
	const char *at = strstr(exercise.mistakes.data, include);

	ck_assert_ptr_nonnull(at);
	text_put(out, exercise.mistakes.data,
		(size_t)(at - exercise.mistakes.data));
	text_puts(out, at + strlen(include));
	text_puts(out,
		"\nvoid solve(size_t Tq, size_t Tk, size_t d, size_t d_v,\n"
		"\tconst double Q[Tq][d], const double K[Tk][d],\n"
		"\tconst double V[Tk][d_v], bool causal, double "
		"output[Tq][d_v])\n{\n\tmistaken_solve(Tq, Tk, d, d_v, Q, K, "
		"V, causal, output, (const int[]){");
	for (size_t s = 0; s < exercise.n_stages; s++)
		text_printf(out, "%d, ",
			s == pair->stages[0]           ? pair->choices[0]
				: s == pair->stages[1] ? pair->choices[1]
						       : 0);
	text_puts(out, "});\n}\n");
}

static bool is_named(
	const struct finding *finding, const struct mistake *mistake)
{
	if (strcmp(finding->mistake->family, mistake->family) == 0)
		return true;
	for (size_t i = 0; i < finding->n_also; i++) {
		if (strcmp(finding->also[i]->family, mistake->family) == 0)
			return true;
	}
	return false;
}

/* How many of the two are named; *wrong_out: whether another one is. */
static int count_named(const struct diagnosis *diagnosis,
	const struct pair *pair, bool *wrong_out)
{
	bool named[2] = {false, false};

	*wrong_out = false;
	for (size_t f = 0; f < diagnosis->n_findings; f++) {
		bool right = false;

		for (int i = 0; i < 2; i++) {
			if (!is_named(
				    &diagnosis->findings[f], pair->mistakes[i]))
				continue;
			named[i] = true;
			right = true;
		}
		*wrong_out |= !right;
	}
	return named[0] + named[1];
}

static void report(const struct pair *pair, const struct grade *graded)
{
	printf("pair %s %s:", pair->mistakes[0]->name, pair->mistakes[1]->name);
	for (size_t f = 0; f < graded->diagnosis.n_findings; f++)
		printf(" %s", graded->diagnosis.findings[f].mistake->name);
	printf("\n");
}

START_TEST(two_mistakes_at_once_are_named)
{
	struct random random = random_start(20261201);
	int counts[3] = {0};
	int n_wrong = 0;

	for (int i = 0; i < N_PAIRS; i++) {
		const struct pair pair = draw_pair(&random);
		struct text source = {0};
		struct grade graded;
		struct error err = {0};
		bool wrong;
		int named;

		put_submission(&source, &pair);
		ck_assert_msg(grade_submission(
				      &(struct grade_request){
					      .exercise = &exercise,
					      .file = "solve.c",
					      .source = source.data,
					      .source_len = source.len,
					      .seed = exercise.seed,
				      },
				      &tools, arena, &graded, &err),
			"%s", err.message);
		ck_assert(graded.compiled && !graded.passed);
		named = count_named(&graded.diagnosis, &pair, &wrong);
		counts[named]++;
		n_wrong += wrong;
		if (getenv("GRADER_PAIRS") && (wrong || named < 2))
			report(&pair, &graded);
		text_finish(&source);
	}
	ck_assert_msg(counts[2] >= BOTH_MIN && n_wrong <= WRONG_MAX,
		"of %d pairs %d are named in full, %d by half, %d not, and "
		"%d wrongly",
		N_PAIRS, counts[2], counts[1], counts[0], n_wrong);
}
END_TEST

Suite *diagnose_pairs_suite(void)
{
	Suite *suite = suite_create("diagnose_pairs");
	TCase *tcase = tcase_create("diagnose_pairs");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, two_mistakes_at_once_are_named);
	suite_add_tcase(suite, tcase);
	return suite;
}
