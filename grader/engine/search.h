/* SPDX-License-Identifier: MIT */

/*
 * The part of the search among mistakes (mistakes.h) that is the same for every
 * exercise.  It stands behind the shim, is built in the compile jail, linked to
 * mistakes.c and runs in the run jail: what is compared never leaves it.
 *
 * In front of it are written GRADER_STAGES, how many there are, and what an
 * output is filled with before a call: GRADER_FILL_DOUBLE, GRADER_FILL_FLOAT
 * and GRADER_FILL_BYTES, 8 bytes each.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRADER_CASES_MAX = 4096,
	GRADER_CELLS_MAX = 40, /* parameters and a result */
	GRADER_ROWS = 8,
	GRADER_TRIPLES = 8, /* triples are made of the first of each stage */
};

/* What a parameter is to the search; the order is the grader's as well. */
enum grader_role {
	GRADER_SCALAR,
	GRADER_INPUT,
	GRADER_OUTPUT_DOUBLE,
	GRADER_OUTPUT_FLOAT,
	GRADER_OUTPUT_BYTES,
	GRADER_RESULT_DOUBLE,
	GRADER_RESULT_FLOAT,
	GRADER_RESULT_BITS,
};

struct grader_function {
	void (*mistaken)(union runner_value *values, const int *choice);
	const unsigned char *roles;
	size_t n_cells;
};

/* A case and what the learner's function made of it. */
struct grader_case {
	const struct grader_function *function;
	union runner_value values[GRADER_CELLS_MAX];
	size_t bytes[GRADER_CELLS_MAX];
	const void *got[GRADER_CELLS_MAX];
	double largest[GRADER_CELLS_MAX];
	union runner_value result;
};

static struct grader_case *grader_cases[GRADER_CASES_MAX];
static size_t grader_n_cases;

static double grader_element(enum grader_role role, const void *data, size_t i)
{
	return role == GRADER_OUTPUT_DOUBLE ? ((const double *)data)[i]
					    : (double)((const float *)data)[i];
}

static size_t grader_count(enum grader_role role, size_t bytes)
{
	return role == GRADER_OUTPUT_DOUBLE   ? bytes / sizeof(double)
		: role == GRADER_OUTPUT_FLOAT ? bytes / sizeof(float)
					      : bytes;
}

static bool grader_is_output(enum grader_role role)
{
	return role >= GRADER_OUTPUT_DOUBLE && role <= GRADER_OUTPUT_BYTES;
}

static void *grader_copy(const void *data, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);

	if (!copy)
		abort();
	memcpy(copy, data, bytes);
	return copy;
}

static void grader_keep_output(struct grader_case *kept, size_t p)
{
	enum grader_role role = kept->function->roles[p];

	kept->got[p] = kept->values[p].pointer;
	kept->values[p].pointer = grader_copy(kept->got[p], kept->bytes[p]);
	if (role == GRADER_OUTPUT_BYTES)
		return;
	for (size_t i = 0; i < grader_count(role, kept->bytes[p]); i++) {
		double size = fabs(grader_element(role, kept->got[p], i));

		if (isfinite(size) && size > kept->largest[p])
			kept->largest[p] = size;
	}
}

/* The arguments are gone when the next call comes. */
static void grader_keep(const struct grader_function *function,
	const union runner_value *values, const size_t *bytes)
{
	struct grader_case *kept = calloc(1, sizeof(*kept));

	if (!kept || grader_n_cases == GRADER_CASES_MAX)
		abort();
	kept->function = function;
	for (size_t p = 0; p < function->n_cells; p++) {
		enum grader_role role = function->roles[p];

		kept->values[p] = values[p];
		kept->bytes[p] = bytes[p];
		if (role == GRADER_SCALAR || role >= GRADER_RESULT_DOUBLE ||
			!values[p].pointer)
			continue;
		kept->values[p].pointer =
			grader_copy(values[p].pointer, bytes[p]);
		if (grader_is_output(role))
			grader_keep_output(kept, p);
	}
	if (function->n_cells > 0)
		kept->result = values[function->n_cells - 1];
	grader_cases[grader_n_cases++] = kept;
}

/* Of two that are as good as equal when one has lost no more than some of its
   last digits.  NaN is like NaN. */
static bool grader_same(double got, double made, double largest, double rule)
{
	if (isnan(got) || isnan(made))
		return isnan(got) && isnan(made);
	if (isinf(got) || isinf(made))
		return got == made;
	return fabs(got - made) <= rule * (fabs(got) + largest);
}

static bool grader_same_output(const struct grader_case *kept, size_t p)
{
	enum grader_role role = kept->function->roles[p];
	const void *got = kept->got[p], *made = kept->values[p].pointer;
	double rule = role == GRADER_OUTPUT_DOUBLE ? 1e-7 : 1e-4;

	if (role == GRADER_OUTPUT_BYTES)
		return memcmp(got, made, kept->bytes[p]) == 0;
	for (size_t i = 0; i < grader_count(role, kept->bytes[p]); i++) {
		if (!grader_same(grader_element(role, got, i),
			    grader_element(role, made, i), kept->largest[p],
			    rule))
			return false;
	}
	return true;
}

static bool grader_same_result(enum grader_role role,
	const union runner_value *got, const union runner_value *made)
{
	if (role == GRADER_RESULT_DOUBLE)
		return grader_same(
			got->number, made->number, fabs(got->number), 1e-7);
	if (role == GRADER_RESULT_FLOAT)
		return grader_same((double)got->real, (double)made->real,
			fabs((double)got->real), 1e-4);
	return got->bits == made->bits;
}

static void grader_prefill(enum grader_role role, void *data, size_t bytes)
{
	uint64_t fill = role == GRADER_OUTPUT_DOUBLE ? GRADER_FILL_DOUBLE
		: role == GRADER_OUTPUT_FLOAT        ? GRADER_FILL_FLOAT
						     : GRADER_FILL_BYTES;

	for (size_t i = 0; i < bytes; i += sizeof(fill))
		memcpy((char *)data + i, &fill,
			bytes - i < sizeof(fill) ? bytes - i : sizeof(fill));
}

static bool grader_agrees(const struct grader_case *kept, const int *choice)
{
	const struct grader_function *function = kept->function;
	union runner_value values[GRADER_CELLS_MAX];

	memcpy(values, kept->values, sizeof(values));
	for (size_t p = 0; p < function->n_cells; p++) {
		enum grader_role role = function->roles[p];

		if (grader_is_output(role) && values[p].pointer)
			grader_prefill(role, values[p].pointer, kept->bytes[p]);
	}
	function->mistaken(values, choice);
	for (size_t p = 0; p < function->n_cells; p++) {
		enum grader_role role = function->roles[p];

		if (grader_is_output(role) && values[p].pointer &&
			!grader_same_output(kept, p))
			return false;
		if (role >= GRADER_RESULT_DOUBLE &&
			!grader_same_result(role, &kept->result, &values[p]))
			return false;
	}
	return true;
}

/* What is looked for: among these choices, on those cases. */
struct grader_quest {
	size_t n_stages;
	const int *counts;   /* choices of each stage, the right one aside */
	const int *is_range; /* of all stages, one after the other */
	const int *formula;  /* of each case */
	bool range;          /* what it looks among and on */
	int *rows;           /* GRADER_ROWS of n_stages */
	int n_rows;
};

static void grader_try(struct grader_quest *quest, const int *choice)
{
	if (quest->n_rows == GRADER_ROWS)
		return;
	for (size_t c = 0; c < grader_n_cases; c++) {
		if ((quest->formula[c] != 0) != quest->range &&
			!grader_agrees(grader_cases[c], choice))
			return;
	}
	memcpy(quest->rows + (size_t)quest->n_rows++ * quest->n_stages, choice,
		quest->n_stages * sizeof(*choice));
}

/* Sets so many more stages, from that one on, in every way there is. */
static void grader_choose(struct grader_quest *quest, int *choice, size_t stage,
	size_t first, int more, int most)
{
	if (more == 0) {
		grader_try(quest, choice);
		return;
	}
	for (; stage < quest->n_stages; stage++) {
		int count = quest->counts[stage];

		/* What is set already stays: a range's choice comes on top. */
		for (int k = 1; choice[stage] == 0 && k <= count && k <= most;
			k++) {
			if ((quest->is_range[first + (size_t)k - 1] != 0) !=
				quest->range)
				continue;
			choice[stage] = k;
			grader_choose(quest, choice, stage + 1,
				first + (size_t)count, more - 1, most);
			choice[stage] = 0;
		}
		first += (size_t)count;
	}
}

/* As few mistakes as will do on top of the choice; how many, or -1. */
static int grader_fewest(struct grader_quest *quest, int *choice, int most)
{
	for (int more = 0; more <= most; more++) {
		grader_choose(quest, choice, 0, 0, more,
			more > 2 ? GRADER_TRIPLES : 1 << 30);
		if (quest->n_rows > 0)
			return more;
	}
	return -1;
}

/* Those of the formula with which the fewest of the range agree. */
static void grader_search_range(
	struct grader_quest *quest, const int *bases, int n_bases)
{
	int fewest = 2;

	for (int b = 0; b < n_bases; b++) {
		int choice[GRADER_STAGES];
		int rows[GRADER_ROWS * GRADER_STAGES];
		struct grader_quest one = *quest;
		int more;

		memcpy(choice, bases + (size_t)b * quest->n_stages,
			sizeof(choice));
		one.rows = rows;
		one.n_rows = 0;
		more = grader_fewest(&one, choice, fewest);
		if (more < 0)
			continue;
		if (more < fewest)
			quest->n_rows = 0;
		fewest = more;
		for (int r = 0; r < one.n_rows && quest->n_rows < GRADER_ROWS;
			r++)
			memcpy(quest->rows +
					(size_t)quest->n_rows++ *
						quest->n_stages,
				rows + (size_t)r * quest->n_stages,
				sizeof(choice));
	}
}
