/* SPDX-License-Identifier: MIT */
/*
 * The mistakes that people make in attention, as one program with a switch for
 * each stage.  exercise.json names the settings ("stages"), in this order.
 *
 * A setting computes what the mistake computes as a student writes it, from
 * whatever the stages before it made.  So any two mistakes, or three, can be
 * had together.  Where two ways to write a mistake give two results, both are
 * settings, of one family; where two mistakes give one result, there is one
 * setting, and its sentence is true of both.
 *
 * The stages, for the whole matrix one after the other:
 *
 *	mask        which keys a query uses; what becomes of the others
 *	score       the dot products
 *	scale       the division by sqrt(d)
 *	shift       what is subtracted before exp()
 *	exp         exp() itself
 *	normalise   the division by the sum
 *	mix         the sum of weighted values
 *	output      where it is written
 *
 * Settings that show with large scores alone are "range" in exercise.json.  Two
 * words stand at the end of names:
 *
 * unshifted: a weight is exp(score), not exp(score - largest).  While weights
 * are divided by their sum both are the same, but where that is what was done
 * wrong, they differ, and both are written.
 *
 * all: the loops go over all keys, and those that are blocked have the lowest
 * of scores, -INFINITY.
 *
 * Some mistakes read past the end of an array.  What they find there is NAN
 * here, and what they write there is dropped: nobody can match that by chance,
 * and where the student's program survived, it did not read there.  Elements
 * that are never written keep what output held before.
 *
 * This is called tens of thousands of times for a submission that failed:
 * decisions are made outside of the inner loops where that costs nothing.
 */
#include "exercise.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST = 64 }; /* of any size */

enum { MASK, SCORE, SCALE, SHIFT, EXP, NORMALISE, MIX, OUTPUT, N_STAGES };

enum {
	MASK_NONE = 1,
	MASK_AFTER_SOFTMAX,
	MASK_SCORE_0,
	MASK_ALWAYS,
	MASK_SELF,
	MASK_SELF_NAN,
	MASK_ONE_MORE,
	MASK_INVERTED,
	MASK_FROM_SELF,
	MASK_SELF_MEAN,
	MASK_SELF_BUT_FIRST,
	MASK_LATER,
	MASK_LATER_NAN,
	MASK_LATER_MEAN,
	MASK_BOTTOM_RIGHT,
	MASK_SCORE_MINUS_1,
	MASK_SCORE_MINUS_1_DIVIDED,
	MASK_SCORE_MINUS_10,
	MASK_ADDS_1,
	MASK_ADDS_1_TO_LATER,
	MASK_NAN,
	MASK_OWN_ONLY,
	MASK_SCORE_MINUS_1E9,
	MASK_SCORE_MINUS_1E4,
	MASK_SCORE_MINUS_100,
	MASK_ADDS_MINUS_1E9,
	MASK_ADDS_MINUS_1000,
	MASK_KEY_COUNT,
};

enum {
	SCORE_NOT_RESET = 1,
	SCORE_MISSES_LAST,
	SCORE_KEY_COLUMNS,
	SCORE_KEY_TRANSPOSED,
	SCORE_SWAPPED,
	SCORE_STARTS_AT_1,
	SCORE_ASSIGNS,
	SCORE_QUERY_QUERY,
	SCORE_KEY_KEY,
	SCORE_VALUE,
	SCORE_VALUE_NARROW,
	SCORE_QUERY_OF_KEY,
	SCORE_KEY_STRIDE,
	SCORE_QUERY_STRIDE,
	SCORE_TO_KEYS,
	SCORE_TO_QUERIES,
	SCORE_TO_VALUE_WIDTH,
	SCORE_INT_SUM,
	SCORE_INT,
	SCORE_INT_TERMS,
	SCORE_ABSOLUTE,
	SCORE_DISTANCE,
	SCORE_COSINE,
	SCORE_COSINE_SCALED,
	SCORE_ADDS,
	SCORE_FIRST_ONLY,
	SCORE_SAME,
};

enum {
	SCALE_NONE = 1,
	SCALE_D,
	SCALE_KEYS,
	SCALE_VALUE_WIDTH,
	SCALE_TIMES,
	SCALE_AFTER_SOFTMAX,
	SCALE_IN_LOOP,
	SCALE_INT_ROOT,
	SCALE_ZERO,
	SCALE_QUERIES,
	SCALE_VISIBLE,
	SCALE_KEYS_PLAIN,
	SCALE_QUERIES_PLAIN,
	SCALE_VISIBLE_PLAIN,
	SCALE_VALUE_WIDTH_PLAIN,
	SCALE_FOURTH_ROOT,
	SCALE_ROOT_2,
	SCALE_2,
	SCALE_8,
	SCALE_KEYS_D,
	SCALE_D_ROOT_D,
	SCALE_ROOT_2D,
	SCALE_D_SQUARED,
	SCALE_INT_SCORE,
	SCALE_INT_INVERSE,
};

enum {
	ONLINE_NO_ADJUSTING = 1,
	ONLINE_MIX_NOT_ADJUSTED,
	ONLINE_SUM_NOT_ADJUSTED,
	ONLINE_DIVIDES_EACH_KEY,
	ONLINE_FACTOR_INVERSE,
	SHIFT_WEIGHTS_ONLY,
	SHIFT_SUM_ONLY,
	SHIFT_NONE,
	SHIFT_FROM_0,
	SHIFT_ALL_QUERIES,
	SHIFT_NOT_RESET,
	SHIFT_BLOCKED,
	SHIFT_FIRST,
	SHIFT_ABSOLUTE,
	SHIFT_MINIMUM,
	SHIFT_MEAN,
	SHIFT_FROM_MINUS_1E4,
	SHIFT_FROM_MINUS_1E9,
	SHIFT_CLIPPED,
	SHIFT_CLIPPED_BOTH,
	SHIFT_LONG_DOUBLE,
	SHIFT_LAST,
	SHIFT_MISSES_LAST,
	SHIFT_FIRST_QUERY,
};

enum {
	EXP_NONE = 1,
	EXP_NONE_SHIFTED,
	EXP_NONE_ALL,
	EXP_BASE_2,
	EXP_NEGATIVE,
	EXP_NEGATIVE_ALL,
	EXP_ARGMAX,
	EXP_BASE_10,
	EXP_E_2_71828,
	EXP_E_2_718,
	EXP_E_2_7183,
	EXP_E_2_72,
	EXP_E_2_7,
	EXP_MINUS_1,
	EXP_MINUS_1_ALL,
	EXP_SIGMOID,
	EXP_POSITIVE,
	EXP_SQUARE,
	EXP_SQUARE_ALL,
};

enum {
	SUM_NONE = 1,
	SUM_NONE_UNSHIFTED,
	SUM_KEYS,
	SUM_VISIBLE,
	SUM_KEYS_UNSHIFTED,
	SUM_VISIBLE_UNSHIFTED,
	SUM_NOT_RESET,
	SUM_NOT_RESET_UNSHIFTED,
	SUM_MISSES_LAST,
	SUM_MISSES_LAST_ALL,
	SUM_MISSES_FIRST,
	SUM_STARTS_AT_1,
	SUM_STARTS_AT_1_UNSHIFTED,
	SUM_TWICE,
	SUM_TWICE_UNSHIFTED,
	SUM_OF_SCORES,
	SUM_OF_SCORES_UNSHIFTED,
	SUM_OF_SCORES_SHIFTED,
	SUM_OF_SCORES_ALL,
	SUM_OF_SQUARES,
	SUM_OVER_QUERIES,
	SUM_OVER_QUERIES_NAN,
	SUM_OVER_QUERIES_SHIFTED,
	SUM_ALL_QUERIES,
	SUM_ALL_QUERIES_UNSHIFTED,
	SUM_SO_FAR,
	SUM_LAST_ONLY,
	SUM_EPSILON_1E_6,
	SUM_EPSILON_1E_5,
	SUM_EPSILON_UNSHIFTED,
	SUM_INT_WEIGHTS,
	SUM_MULTIPLIES,
	SUM_LOGARITHM,
	SUM_LOGARITHM_ALL,
	SOFTMAX_TWICE,
	SOFTMAX_TWICE_ALL,
};

enum {
	MIX_ASSIGNS = 1,
	MIX_ASSIGNS_ALL,
	MIX_KEYS,
	MIX_KEYS_NARROW,
	MIX_VALUE_OF_QUERY,
	MIX_VALUE_STRIDE,
	MIX_VALUE_TRANSPOSED,
	MIX_VALUE_COLUMNS,
	MIX_SKIPS_LAST,
	MIX_SKIPS_LAST_ALL,
	MIX_SKIPS_FIRST,
	MIX_WEIGHTS_TRANSPOSED,
	MIX_WEIGHT_OF_QUERY,
	MIX_WEIGHT_OF_QUERY_ALL,
	MIX_MEAN_ALL,
	MIX_SUM,
	MIX_SUM_ALL,
	MIX_SCORES,
	MIX_SCORES_ALL,
	MIX_MAXIMUM,
	MIX_MAXIMUM_ALL,
	MIX_INT_SUM,
	MIX_ADDS,
	MIX_ADDS_ALL,
	MIX_NOT_RESET,
	MIX_NEVER_RESET,
	MIX_ROWS_ADD_UP,
};

enum {
	OUTPUT_ACCUMULATES = 1,
	OUTPUT_TRANSPOSED,
	OUTPUT_COLUMNS,
	OUTPUT_STRIDE,
	OUTPUT_TO_D,
	OUTPUT_MISSES_COLUMN,
	OUTPUT_MISSES_ROW,
	OUTPUT_MISSES_FIRST_ROW,
	OUTPUT_ADDS_QUERY,
	OUTPUT_ADDS_QUERY_NARROW,
	OUTPUT_ADDS_VALUE,
	OUTPUT_SCALED,
	OUTPUT_BY_KEYS,
	OUTPUT_BY_VISIBLE,
	OUTPUT_ROUNDED_5,
	OUTPUT_ROUNDED_4,
	OUTPUT_ROUNDED_3,
	OUTPUT_ROUNDED_2,
	OUTPUT_INT,
	OUTPUT_ZERO,
};

/* From .. to - 1: keys of a query, or products of a sum. */
struct span {
	size_t from, to;
};

struct work {
	size_t Tq, Tk, d, d_v;
	const double *Q, *K, *V;
	bool causal;
	int choice[N_STAGES];
	double root;            /* of d */
	struct span use[MOST];  /* what query i should mix, as it sees it */
	struct span soft[MOST]; /* what its softmax goes over */
	double scores[MOST][MOST];
	double weights[MOST][MOST];
};

/* Numbers at start, start + step, ... of an array of so many. */
struct row {
	const double *data;
	size_t count, start, step;
};

static double row_at(const struct row *row, size_t c)
{
	size_t at = row->start + c * row->step;

	return at < row->count ? row->data[at] : NAN;
}

static struct row row_of(
	const double *data, size_t rows, size_t width, size_t index)
{
	return (struct row){data, rows * width, index * width, 1};
}

/* mask --------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool is_causal(const struct work *work)
{
	switch (work->choice[MASK]) {
	case MASK_NONE:
		return false;
	case MASK_ALWAYS:
		return true;
	case MASK_INVERTED:
		return !work->causal;
	default:
		return work->causal;
	}
}

/* The keys that query i uses where there is a mask. */
static struct span causal_keys(const struct work *work, size_t i)
{
	size_t Tk = work->Tk;

	switch (work->choice[MASK]) {
	case MASK_SELF:
	case MASK_SELF_NAN:
	case MASK_SELF_MEAN:
		return (struct span){0, smaller(i, Tk)};
	case MASK_SELF_BUT_FIRST:
		return (struct span){0, i > 0 ? smaller(i, Tk) : 1};
	case MASK_ONE_MORE:
		return (struct span){0, smaller(i + 2, Tk)};
	case MASK_FROM_SELF:
		return (struct span){smaller(i, Tk), Tk};
	case MASK_LATER:
	case MASK_LATER_NAN:
	case MASK_LATER_MEAN:
		return (struct span){smaller(i + 1, Tk), Tk};
	case MASK_BOTTOM_RIGHT:
		return (struct span){0, smaller(i + 1 + Tk - work->Tq, Tk)};
	case MASK_OWN_ONLY:
		return (struct span){smaller(i, Tk), smaller(i + 1, Tk)};
	default:
		return (struct span){0, smaller(i + 1, Tk)};
	}
}

/* The blocked keys stay in the softmax, with some other score. */
static bool keeps_blocked(int mask)
{
	switch (mask) {
	case MASK_AFTER_SOFTMAX:
	case MASK_SCORE_0:
	case MASK_SCORE_MINUS_1:
	case MASK_SCORE_MINUS_1_DIVIDED:
	case MASK_SCORE_MINUS_10:
	case MASK_ADDS_1:
	case MASK_ADDS_1_TO_LATER:
	case MASK_NAN:
	case MASK_SCORE_MINUS_1E9:
	case MASK_SCORE_MINUS_1E4:
	case MASK_SCORE_MINUS_100:
	case MASK_ADDS_MINUS_1E9:
	case MASK_ADDS_MINUS_1000:
		return true;
	default:
		return false;
	}
}

/*
 * Some mistakes come to something else where the loops go over all keys, and
 * those that are blocked have the score -INFINITY and the weight 0.  That is no
 * mistake in itself, so it has no setting; these settings are written so.
 */
static bool goes_over_all(const struct work *work)
{
	int exponential = work->choice[EXP];
	int sum = work->choice[NORMALISE];

	switch (work->choice[MIX]) {
	case MIX_ASSIGNS_ALL:
	case MIX_SKIPS_LAST_ALL:
	case MIX_WEIGHT_OF_QUERY_ALL:
	case MIX_SUM_ALL:
	case MIX_SCORES_ALL:
	case MIX_MAXIMUM_ALL:
	case MIX_ADDS_ALL:
		return true;
	default:
		break;
	}
	return exponential == EXP_NONE_ALL || exponential == EXP_NEGATIVE_ALL ||
		exponential == EXP_MINUS_1_ALL ||
		exponential == EXP_SQUARE_ALL || sum == SUM_MISSES_LAST_ALL ||
		sum == SUM_OF_SCORES_ALL || sum == SUM_LOGARITHM_ALL ||
		sum == SOFTMAX_TWICE_ALL;
}

/* A query that has no key at all is left with a low score for each. */
static bool fills_empty(int mask)
{
	return mask == MASK_SELF_NAN || mask == MASK_LATER_NAN ||
		mask == MASK_SELF_MEAN || mask == MASK_LATER_MEAN;
}

static void choose_keys(struct work *work)
{
	const struct span all = {0, work->Tk};
	int mask = work->choice[MASK];
	bool causal = is_causal(work);
	bool keeps = keeps_blocked(mask) || goes_over_all(work);

	for (size_t i = 0; i < work->Tq; i++) {
		struct span use = causal ? causal_keys(work, i) : all;

		if (mask == MASK_KEY_COUNT && !causal)
			use.to = smaller(work->Tq, work->Tk);
		work->use[i] = use;
		work->soft[i] = use;
		if ((causal && keeps) ||
			(use.from >= use.to && fills_empty(mask)))
			work->soft[i] = all;
		if (mask != MASK_AFTER_SOFTMAX)
			work->use[i] = work->soft[i];
	}
}

static double blocked_score(const struct work *work, double score)
{
	switch (work->choice[MASK]) {
	case MASK_SCORE_0:
		return 0;
	case MASK_SCORE_MINUS_1:
		return -1;
	case MASK_SCORE_MINUS_1_DIVIDED:
		return -1 / work->root;
	case MASK_SCORE_MINUS_10:
		return -10;
	case MASK_ADDS_1_TO_LATER:
		return score + 1;
	case MASK_NAN:
		return INFINITY;
	case MASK_SELF_MEAN:
	case MASK_LATER_MEAN:
	case MASK_SCORE_MINUS_1E9:
		return -1e9;
	case MASK_SCORE_MINUS_1E4:
		return -1e4;
	case MASK_SCORE_MINUS_100:
		return -100;
	case MASK_ADDS_MINUS_1E9:
		return score - 1e9;
	case MASK_ADDS_MINUS_1000:
		return score - 1000;
	case MASK_AFTER_SOFTMAX:
	case MASK_ADDS_1:
		return score;
	default:
		return -INFINITY;
	}
}

static void mask_scores(struct work *work)
{
	int mask = work->choice[MASK];

	if (!keeps_blocked(mask) && !fills_empty(mask) && !goes_over_all(work))
		return;
	for (size_t i = 0; i < work->Tq; i++) {
		struct span use = {0, work->Tk};
		struct span soft = work->soft[i];

		if (is_causal(work))
			use = causal_keys(work, i);
		for (size_t j = soft.from; j < soft.to; j++) {
			double *score = &work->scores[i][j];

			if (j < use.from || j >= use.to)
				*score = blocked_score(work, *score);
			else if (mask == MASK_ADDS_1 && work->causal)
				*score += 1;
		}
	}
}

/* score -------------------------------------------------------------------- */

static struct row left_row(const struct work *work, size_t i, size_t j)
{
	switch (work->choice[SCORE]) {
	case SCORE_KEY_KEY:
	case SCORE_SWAPPED:
		return row_of(work->K, work->Tk, work->d, i);
	case SCORE_QUERY_OF_KEY:
		return row_of(work->Q, work->Tq, work->d, j);
	case SCORE_QUERY_STRIDE:
		return (struct row){
			work->Q, work->Tq * work->d, i * work->d_v, 1};
	default:
		return row_of(work->Q, work->Tq, work->d, i);
	}
}

static struct row right_row(const struct work *work, size_t i, size_t j)
{
	size_t count = work->Tk * work->d;

	switch (work->choice[SCORE]) {
	case SCORE_QUERY_QUERY:
	case SCORE_SWAPPED:
		return row_of(work->Q, work->Tq, work->d, j);
	case SCORE_VALUE:
	case SCORE_VALUE_NARROW:
		return row_of(work->V, work->Tk, work->d_v, j);
	case SCORE_KEY_COLUMNS:
		return (struct row){work->K, count, j, work->d};
	case SCORE_KEY_TRANSPOSED:
		return (struct row){work->K, count, j, work->Tk};
	case SCORE_KEY_STRIDE:
		return (struct row){work->K, count, j * work->d_v, 1};
	default:
		return row_of(work->K, work->Tk, work->d, j);
	}
}

static double term(int choice, double a, double b)
{
	switch (choice) {
	case SCORE_DISTANCE:
		return -(a - b) * (a - b);
	case SCORE_ADDS:
		return a + b;
	case SCORE_INT_TERMS:
		return trunc(a) * trunc(b);
	default:
		return a * b;
	}
}

/* Of which products a dot product is the sum. */
static struct span terms(const struct work *work)
{
	size_t d = work->d;

	switch (work->choice[SCORE]) {
	case SCORE_MISSES_LAST:
		return (struct span){0, d - 1};
	case SCORE_STARTS_AT_1:
		return (struct span){1, d};
	case SCORE_FIRST_ONLY:
		return (struct span){0, 1};
	case SCORE_TO_KEYS:
		return (struct span){0, work->Tk};
	case SCORE_TO_QUERIES:
		return (struct span){0, work->Tq};
	case SCORE_TO_VALUE_WIDTH:
		return (struct span){0, work->d_v};
	case SCORE_VALUE_NARROW:
		return (struct span){0, smaller(d, work->d_v)};
	default:
		return (struct span){0, d};
	}
}

static double length(const struct row *row, size_t d)
{
	double sum = 0;

	for (size_t c = 0; c < d; c++)
		sum += row_at(row, c) * row_at(row, c);
	return sqrt(sum);
}

/* The dot product for query i and key j; sum is where it starts. */
static double slipped_dot(
	const struct work *work, size_t i, size_t j, double sum)
{
	int choice = work->choice[SCORE];
	bool divides = work->choice[SCALE] == SCALE_IN_LOOP;
	struct row left = left_row(work, i, j);
	struct row right = right_row(work, i, j);
	struct span of = terms(work);

	for (size_t c = of.from; c < of.to; c++) {
		double product =
			term(choice, row_at(&left, c), row_at(&right, c));

		sum = choice == SCORE_ASSIGNS ? product : sum + product;
		if (choice == SCORE_INT_SUM)
			sum = trunc(sum);
		if (divides)
			sum /= work->root;
	}
	switch (choice) {
	case SCORE_SAME:
		return 0;
	case SCORE_INT:
		return trunc(sum);
	case SCORE_ABSOLUTE:
		return fabs(sum);
	case SCORE_COSINE:
	case SCORE_COSINE_SCALED:
		return sum / (length(&left, work->d) * length(&right, work->d));
	default:
		return sum;
	}
}

static double dot(size_t d, const double a[d], const double b[d])
{
	double sum = 0;

	for (size_t c = 0; c < d; c++)
		sum += a[c] * b[c];
	return sum;
}

/* Some mistakes look at scores that no mask lets through. */
static struct span scored_keys(const struct work *work, size_t i)
{
	if (work->choice[SHIFT] == SHIFT_BLOCKED ||
		work->choice[SHIFT] == SHIFT_ALL_QUERIES)
		return (struct span){0, work->Tk};
	return work->soft[i];
}

static void fill_dots(struct work *work)
{
	bool right = work->choice[SCORE] == 0 &&
		work->choice[SCALE] != SCALE_IN_LOOP;
	bool resets = work->choice[SCORE] != SCORE_NOT_RESET;
	size_t d = work->d;

	for (size_t i = 0; i < work->Tq; i++) {
		struct span keys = scored_keys(work, i);
		double sum = 0;

		for (size_t j = keys.from; j < keys.to; j++) {
			sum = right ? dot(d, work->Q + i * d, work->K + j * d)
				    : slipped_dot(work, i, j, resets ? 0 : sum);
			work->scores[i][j] = sum;
		}
	}
}

/* scale -------------------------------------------------------------------- */

/* What the scores of query i are divided by. */
static double divisor(const struct work *work, size_t i)
{
	double d = (double)work->d, root = work->root;
	double Tq = (double)work->Tq, Tk = (double)work->Tk;
	double visible = (double)(work->soft[i].to - work->soft[i].from);

	switch (work->choice[SCALE]) {
	case SCALE_NONE:
	case SCALE_AFTER_SOFTMAX:
	case SCALE_IN_LOOP: /* was done there */
		return 1;
	case SCALE_D:
		return d;
	case SCALE_KEYS:
		return sqrt(Tk);
	case SCALE_VALUE_WIDTH:
		return sqrt((double)work->d_v);
	case SCALE_TIMES:
		return 1 / root;
	case SCALE_INT_ROOT:
		return floor(root);
	case SCALE_ZERO: /* 1 / 1 is 1 */
		return work->d == 1 ? 1 : INFINITY;
	case SCALE_QUERIES:
		return sqrt(Tq);
	case SCALE_VISIBLE:
		return sqrt(visible);
	case SCALE_KEYS_PLAIN:
		return Tk;
	case SCALE_QUERIES_PLAIN:
		return Tq;
	case SCALE_VISIBLE_PLAIN:
		return visible;
	case SCALE_VALUE_WIDTH_PLAIN:
		return (double)work->d_v;
	case SCALE_FOURTH_ROOT:
		return sqrt(root);
	case SCALE_ROOT_2:
		return sqrt(2);
	case SCALE_2:
		return 2;
	case SCALE_8:
		return 8;
	case SCALE_KEYS_D:
		return sqrt(Tk * d);
	case SCALE_D_ROOT_D:
		return d * root;
	case SCALE_ROOT_2D:
		return sqrt(2 * d);
	case SCALE_D_SQUARED:
		return d * d;
	case SCALE_INT_INVERSE:
		return root < 2 ? 1 : INFINITY;
	default:
		return root;
	}
}

static void scale_scores(struct work *work)
{
	bool cuts = work->choice[SCALE] == SCALE_INT_SCORE;
	/* The lengths stand where the root should. */
	bool scaled =
		work->choice[SCORE] == SCORE_COSINE && work->choice[SCALE] == 0;

	for (size_t i = 0; i < work->Tq; i++) {
		struct span keys = scored_keys(work, i);
		double by = scaled ? 1 : divisor(work, i);

		for (size_t j = keys.from; j < keys.to; j++) {
			double score = work->scores[i][j] / by;

			work->scores[i][j] = cuts ? trunc(score) : score;
		}
	}
}

/* shift -------------------------------------------------------------------- */

/* The largest of n numbers, or start when all are lower. */
static double largest_of(const double *numbers, struct span keys, double start)
{
	double largest = start;

	for (size_t j = keys.from; j < keys.to; j++)
		if (numbers[j] > largest)
			largest = numbers[j];
	return largest;
}

static double largest_of_all(const struct work *work)
{
	double largest = -INFINITY;

	for (size_t i = 0; i < work->Tq; i++)
		largest = largest_of(
			work->scores[i], (struct span){0, work->Tk}, largest);
	return largest;
}

/* Largest absolute value, minimum, mean: what else one may subtract. */
static double subtracted_wrongly(
	const struct work *work, const double *scores, struct span keys)
{
	double absolute = 0, minimum = INFINITY, sum = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		absolute = fmax(absolute, fabs(scores[j]));
		minimum = fmin(minimum, scores[j]);
		sum += scores[j];
	}
	switch (work->choice[SHIFT]) {
	case SHIFT_ABSOLUTE:
		return absolute;
	case SHIFT_MINIMUM:
		return minimum;
	default:
		return sum / (double)(keys.to - keys.from);
	}
}

/* A long double ends at exp(11356.5) and exp(-11399.5). */
static double shift_of_long_double(double largest)
{
	return largest > 11356.5 || largest < -11399.5 ? NAN : largest;
}

static bool is_unshifted(const struct work *work)
{
	switch (work->choice[NORMALISE]) {
	case SUM_NONE_UNSHIFTED:
	case SUM_KEYS_UNSHIFTED:
	case SUM_VISIBLE_UNSHIFTED:
	case SUM_NOT_RESET_UNSHIFTED:
	case SUM_STARTS_AT_1_UNSHIFTED:
	case SUM_TWICE_UNSHIFTED:
	case SUM_OF_SCORES_UNSHIFTED:
	case SUM_ALL_QUERIES_UNSHIFTED:
	case SUM_EPSILON_UNSHIFTED:
		return true;
	default:
		return false;
	}
}

/* What query i subtracts; before is what the query before it subtracted. */
static double shift_of(const struct work *work, size_t i, double before)
{
	const double *scores = work->scores[i];
	struct span keys = work->soft[i];

	switch (work->choice[SHIFT]) {
	case SHIFT_NONE:
	case SHIFT_CLIPPED:
	case SHIFT_CLIPPED_BOTH:
		return 0;
	case SHIFT_FROM_0:
		return largest_of(scores, keys, 0);
	case SHIFT_FROM_MINUS_1E4:
		return largest_of(scores, keys, -1e4);
	case SHIFT_FROM_MINUS_1E9:
		return largest_of(scores, keys, -1e9);
	case SHIFT_ALL_QUERIES: /* the same for all of them */
		return i == 0 ? largest_of_all(work) : before;
	case SHIFT_NOT_RESET:
		return largest_of(scores, keys, before);
	case SHIFT_BLOCKED:
		return largest_of(
			scores, (struct span){0, work->Tk}, -INFINITY);
	case SHIFT_FIRST:
		return keys.from < keys.to ? scores[keys.from] : 0;
	case SHIFT_LAST:
		return keys.from < keys.to ? scores[keys.to - 1] : 0;
	case SHIFT_MISSES_LAST:
		if (keys.to - keys.from > 1)
			keys.to--;
		return largest_of(scores, keys, -INFINITY);
	case SHIFT_ABSOLUTE:
	case SHIFT_MINIMUM:
	case SHIFT_MEAN:
		return subtracted_wrongly(work, scores, keys);
	case SHIFT_LONG_DOUBLE:
		return shift_of_long_double(
			largest_of(scores, keys, -INFINITY));
	case SHIFT_FIRST_QUERY:
		return i == 0 ? largest_of(scores, keys, -INFINITY) : before;
	default:
		return largest_of(scores, keys, -INFINITY);
	}
}

/* exp ---------------------------------------------------------------------- */

static double power(double base, double x)
{
	return exp(x * log(base));
}

static double exponential(const struct work *work, double score, double shift)
{
	double x = score - shift;

	if (work->choice[SHIFT] == SHIFT_CLIPPED)
		x = fmin(x, 700);
	if (work->choice[SHIFT] == SHIFT_CLIPPED_BOTH)
		x = fmax(fmin(x, 500), -500);
	switch (work->choice[EXP]) {
	case EXP_NONE:
	case EXP_NONE_ALL:
		return score;
	case EXP_NONE_SHIFTED:
		return x;
	case EXP_BASE_2:
		return exp2(x);
	case EXP_NEGATIVE:
	case EXP_NEGATIVE_ALL:
		return exp(-x);
	case EXP_ARGMAX:
		return x >= 0;
	case EXP_BASE_10:
		return power(10, x);
	case EXP_E_2_71828:
		return power(2.71828, x);
	case EXP_E_2_718:
		return power(2.718, x);
	case EXP_E_2_7183:
		return power(2.7183, x);
	case EXP_E_2_72:
		return power(2.72, x);
	case EXP_E_2_7:
		return power(2.7, x);
	case EXP_MINUS_1:
	case EXP_MINUS_1_ALL:
		return expm1(x);
	case EXP_SIGMOID:
		return 1 / (1 + exp(-score));
	case EXP_POSITIVE:
		return fmax(score, 0);
	case EXP_SQUARE:
	case EXP_SQUARE_ALL:
		return score * score;
	default:
		return exp(x);
	}
}

static void fill_weights(struct work *work)
{
	bool plain = work->choice[EXP] == 0 &&
		work->choice[SHIFT] != SHIFT_CLIPPED &&
		work->choice[SHIFT] != SHIFT_CLIPPED_BOTH;
	bool unshifted = is_unshifted(work);
	double shift = -INFINITY;

	for (size_t i = 0; i < work->Tq; i++) {
		struct span keys = work->soft[i];

		shift = unshifted ? 0 : shift_of(work, i, shift);
		for (size_t j = keys.from; j < keys.to; j++) {
			double score = work->scores[i][j];

			work->weights[i][j] = plain
				? exp(score - shift)
				: exponential(work, score, shift);
		}
	}
}

/* normalise ---------------------------------------------------------------- */

static double sum_of(const double *numbers, struct span keys, double start)
{
	double sum = start;

	for (size_t j = keys.from; j < keys.to; j++)
		sum += numbers[j];
	return sum;
}

/* Sums that are made of something else than weights. */
static double other_sum(const struct work *work, size_t i, struct span keys)
{
	const double *weights = work->weights[i];
	const double *scores = work->scores[i];
	double largest = largest_of(scores, keys, -INFINITY);
	double squares = 0, shifted = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		squares += weights[j] * weights[j];
		shifted += scores[j] - largest;
	}
	switch (work->choice[NORMALISE]) {
	case SUM_OF_SCORES:
	case SUM_OF_SCORES_UNSHIFTED:
	case SUM_OF_SCORES_ALL:
		return sum_of(scores, keys, 0);
	case SUM_OF_SCORES_SHIFTED:
		return shifted;
	default:
		return sqrt(squares);
	}
}

/* What the weights of query i are divided by; before: that of the one before.
 */
static double sum_for(const struct work *work, size_t i, double before)
{
	const double *weights = work->weights[i];
	struct span keys = work->soft[i];
	double sum = sum_of(weights, keys, 0);
	size_t count = keys.to - keys.from;

	switch (work->choice[NORMALISE]) {
	case SUM_NONE:
	case SUM_NONE_UNSHIFTED:
		return 1;
	case SUM_KEYS:
	case SUM_KEYS_UNSHIFTED:
		return (double)work->Tk;
	case SUM_VISIBLE:
	case SUM_VISIBLE_UNSHIFTED:
		return (double)count;
	case SUM_NOT_RESET:
	case SUM_NOT_RESET_UNSHIFTED:
		return sum_of(weights, keys, before);
	case SUM_MISSES_LAST:
	case SUM_MISSES_LAST_ALL:
		keys.to -= count > 0;
		return sum_of(weights, keys, 0);
	case SUM_MISSES_FIRST:
		keys.from += count > 0;
		return sum_of(weights, keys, 0);
	case SUM_STARTS_AT_1:
	case SUM_STARTS_AT_1_UNSHIFTED:
		return sum_of(weights, keys, 1);
	case SUM_TWICE:
	case SUM_TWICE_UNSHIFTED:
		return sum * sum;
	case SUM_OF_SCORES:
	case SUM_OF_SCORES_UNSHIFTED:
	case SUM_OF_SCORES_SHIFTED:
	case SUM_OF_SCORES_ALL:
	case SUM_OF_SQUARES:
		return other_sum(work, i, keys);
	case SUM_LAST_ONLY:
		return count > 0 ? weights[keys.to - 1] : 1;
	case SUM_EPSILON_1E_6:
	case SUM_EPSILON_UNSHIFTED:
		return sum + 1e-6;
	case SUM_EPSILON_1E_5:
		return sum + 1e-5;
	case SUM_MULTIPLIES:
		return 1 / sum;
	default:
		return sum;
	}
}

static bool query_has_key(const struct work *work, size_t i, size_t j)
{
	return j >= work->soft[i].from && j < work->soft[i].to;
}

/* Blocked scores are -INFINITY; where all of a column are, its softmax divides
   0 by 0. */
static void fill_blocked_column(struct work *work, size_t j, double weight)
{
	for (size_t i = 0; i < work->Tq; i++) {
		if (query_has_key(work, i, j))
			continue;
		work->scores[i][j] = -INFINITY;
		work->weights[i][j] = weight;
	}
}

/* The softmax of each key over the queries. */
static void normalise_columns(struct work *work)
{
	int choice = work->choice[NORMALISE];

	for (size_t j = 0; j < work->Tk; j++) {
		double largest = -INFINITY, sum = 0;

		for (size_t i = 0; i < work->Tq; i++)
			if (query_has_key(work, i, j))
				largest = fmax(largest, work->scores[i][j]);
		for (size_t i = 0; i < work->Tq; i++) {
			if (!query_has_key(work, i, j))
				continue;
			if (choice != SUM_OVER_QUERIES_SHIFTED)
				work->weights[i][j] = exponential(
					work, work->scores[i][j], largest);
			sum += work->weights[i][j];
		}
		for (size_t i = 0; i < work->Tq; i++)
			if (query_has_key(work, i, j))
				work->weights[i][j] /= sum;
		if (choice == SUM_OVER_QUERIES_NAN)
			fill_blocked_column(work, j, sum == 0 ? NAN : 0);
	}
	if (choice == SUM_OVER_QUERIES_NAN)
		for (size_t i = 0; i < work->Tq; i++)
			work->use[i] = (struct span){0, work->Tk};
}

static void divide_all(struct work *work)
{
	double sum = 0;

	for (size_t i = 0; i < work->Tq; i++)
		sum = sum_of(work->weights[i], work->soft[i], sum);
	for (size_t i = 0; i < work->Tq; i++)
		for (size_t j = work->soft[i].from; j < work->soft[i].to; j++)
			work->weights[i][j] /= sum;
}

static void divide_by_sum_so_far(double *weights, struct span keys)
{
	double sum = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		sum += weights[j];
		weights[j] /= sum;
	}
}

static void cut_off(double *weights, struct span keys)
{
	for (size_t j = keys.from; j < keys.to; j++)
		weights[j] = trunc(weights[j]);
}

static void take_logarithms(double *weights, struct span keys)
{
	for (size_t j = keys.from; j < keys.to; j++)
		weights[j] = log(weights[j]);
}

static void take_softmax_again(double *weights, struct span keys)
{
	double sum = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		weights[j] = exp(weights[j]);
		sum += weights[j];
	}
	for (size_t j = keys.from; j < keys.to; j++)
		weights[j] /= sum;
}

/*
 * A softmax in one pass keeps the largest score so far, and multiplies what it
 * has by exp(old largest - new largest) when that grows.  All that it may
 * forget is a factor of weights[j]; this makes them from the scores anew.
 */
static void one_pass(struct work *work, size_t i)
{
	int choice = work->choice[SHIFT];
	const double *scores = work->scores[i];
	double *weights = work->weights[i];
	struct span keys = work->soft[i];
	bool inverse = choice == ONLINE_FACTOR_INVERSE;
	bool keeps_mix = choice == ONLINE_NO_ADJUSTING ||
		choice == ONLINE_MIX_NOT_ADJUSTED;
	bool keeps_sum = choice == ONLINE_NO_ADJUSTING ||
		choice == ONLINE_SUM_NOT_ADJUSTED;
	double largest = -INFINITY, sum = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		double before = largest;

		largest = scores[j] > largest ? scores[j] : largest;

		double old = exp(inverse && j > keys.from ? largest - before
							  : before - largest);

		weights[j] = exponential(work, scores[j], largest);
		sum = (keeps_sum ? sum : sum * old) + weights[j];
		for (size_t k = keys.from; !keeps_mix && k < j; k++)
			weights[k] *= old;
		for (size_t k = keys.from; k <= j; k++)
			if (choice == ONLINE_DIVIDES_EACH_KEY)
				weights[k] /= sum;
	}
	for (size_t j = keys.from; j < keys.to; j++)
		if (choice != ONLINE_DIVIDES_EACH_KEY)
			weights[j] /= sum;
}

/* The largest score is subtracted on one side of the division only. */
static void shift_one_side(struct work *work, size_t i)
{
	const double *scores = work->scores[i];
	double *weights = work->weights[i];
	struct span keys = work->soft[i];
	double largest = largest_of(scores, keys, -INFINITY);
	bool weights_only = work->choice[SHIFT] == SHIFT_WEIGHTS_ONLY;
	double sum = 0;

	for (size_t j = keys.from; j < keys.to; j++) {
		double shifted = exponential(work, scores[j], largest);
		double plain = exponential(work, scores[j], 0);

		weights[j] = weights_only ? shifted : plain;
		sum += weights_only ? plain : shifted;
	}
	for (size_t j = keys.from; j < keys.to; j++)
		weights[j] /= sum;
}

static void normalise_rows(struct work *work)
{
	int choice = work->choice[NORMALISE];
	double sum = 0;

	for (size_t i = 0; i < work->Tq; i++) {
		double *weights = work->weights[i];
		struct span keys = work->soft[i];

		if (choice == SUM_SO_FAR) {
			divide_by_sum_so_far(weights, keys);
			continue;
		}
		sum = sum_for(work, i, sum);
		for (size_t j = keys.from; j < keys.to; j++)
			weights[j] /= sum;
		if (choice == SUM_INT_WEIGHTS)
			cut_off(weights, keys);
		if (choice == SUM_LOGARITHM || choice == SUM_LOGARITHM_ALL)
			take_logarithms(weights, keys);
		if (choice == SOFTMAX_TWICE || choice == SOFTMAX_TWICE_ALL)
			take_softmax_again(weights, keys);
	}
}

static void divide_by_sums(struct work *work)
{
	int shift = work->choice[SHIFT];
	bool one_side = shift == SHIFT_WEIGHTS_ONLY || shift == SHIFT_SUM_ONLY;

	switch (work->choice[NORMALISE]) {
	case SUM_OVER_QUERIES:
	case SUM_OVER_QUERIES_NAN:
	case SUM_OVER_QUERIES_SHIFTED:
		normalise_columns(work);
		return;
	case SUM_ALL_QUERIES:
	case SUM_ALL_QUERIES_UNSHIFTED:
		divide_all(work);
		return;
	default:
		break;
	}
	if (shift >= ONLINE_NO_ADJUSTING && shift <= ONLINE_FACTOR_INVERSE)
		for (size_t i = 0; i < work->Tq; i++)
			one_pass(work, i);
	else if (one_side)
		for (size_t i = 0; i < work->Tq; i++)
			shift_one_side(work, i);
	else
		normalise_rows(work);
}

static void normalise(struct work *work)
{
	divide_by_sums(work);
	if (work->choice[SCALE] != SCALE_AFTER_SOFTMAX)
		return;
	for (size_t i = 0; i < work->Tq; i++)
		for (size_t j = work->soft[i].from; j < work->soft[i].to; j++)
			work->weights[i][j] /= work->root;
}

/* mix ---------------------------------------------------------------------- */

/* Where column c of a value is, as query i takes it for key j. */
static struct row value_row(const struct work *work, size_t i, size_t j)
{
	size_t d = work->d, d_v = work->d_v, count = work->Tk * d_v;

	switch (work->choice[MIX]) {
	case MIX_KEYS:
	case MIX_KEYS_NARROW:
		return row_of(work->K, work->Tk, d, j);
	case MIX_VALUE_OF_QUERY:
		return row_of(work->V, work->Tk, d_v, i);
	case MIX_VALUE_STRIDE:
		return (struct row){work->V, count, j * d, 1};
	case MIX_VALUE_TRANSPOSED:
		return (struct row){work->V, count, j, work->Tk};
	case MIX_VALUE_COLUMNS:
		return (struct row){work->V, count, j, d_v};
	default:
		return row_of(work->V, work->Tk, d_v, j);
	}
}

static double weight_for(const struct work *work, size_t i, size_t j)
{
	struct span use = work->use[i];

	switch (work->choice[MIX]) {
	case MIX_WEIGHTS_TRANSPOSED:
		return j < work->Tq && i >= work->use[j].from &&
				i < work->use[j].to
			? work->weights[j][i]
			: 0;
	case MIX_WEIGHT_OF_QUERY:
	case MIX_WEIGHT_OF_QUERY_ALL:
		return i >= use.from && i < use.to ? work->weights[i][i] : NAN;
	case MIX_MEAN_ALL:
		return 1 / (double)work->Tk;
	case MIX_SUM:
	case MIX_SUM_ALL:
		return 1;
	case MIX_SCORES:
	case MIX_SCORES_ALL:
		return work->scores[i][j];
	default:
		return work->weights[i][j];
	}
}

/* The keys whose values query i mixes. */
static struct span mixed_keys(const struct work *work, size_t i)
{
	struct span keys = work->use[i];
	bool some = keys.from < keys.to;

	switch (work->choice[MIX]) {
	case MIX_SKIPS_LAST:
	case MIX_SKIPS_LAST_ALL:
		return (struct span){keys.from, keys.to - some};
	case MIX_SKIPS_FIRST:
		return (struct span){keys.from + some, keys.to};
	case MIX_WEIGHTS_TRANSPOSED:
	case MIX_MEAN_ALL:
		return (struct span){0, work->Tk};
	default:
		return keys;
	}
}

/* mixed[c] with the value of one more key */
static double mix_in(int choice, double mixed, double weight, double value)
{
	switch (choice) {
	case MIX_ASSIGNS:
	case MIX_ASSIGNS_ALL:
		return weight * value;
	case MIX_MAXIMUM:
	case MIX_MAXIMUM_ALL:
		return fmax(mixed, weight * value);
	case MIX_INT_SUM:
		return trunc(mixed + weight * value);
	case MIX_ADDS:
	case MIX_ADDS_ALL:
		return mixed + weight + value;
	default:
		return mixed + weight * value;
	}
}

static void mix_right(
	const struct work *work, size_t i, size_t width, double mixed[MOST])
{
	struct span keys = work->use[i];

	for (size_t c = 0; c < width; c++)
		mixed[c] = 0;
	for (size_t j = keys.from; j < keys.to; j++) {
		const double *value = work->V + j * work->d_v;
		double weight = work->weights[i][j];

		for (size_t c = 0; c < width; c++)
			mixed[c] += weight * value[c];
	}
}

/* mixed holds the mix of the query before. */
static void mix_slipped(
	const struct work *work, size_t i, size_t width, double mixed[MOST])
{
	int choice = work->choice[MIX];
	struct span keys = mixed_keys(work, i);
	size_t filled =
		choice == MIX_KEYS_NARROW ? smaller(width, work->d) : width;
	double sum =
		choice == MIX_NEVER_RESET && width > 0 ? mixed[width - 1] : 0;

	for (size_t c = 0; c < width; c++) {
		if (choice == MIX_MAXIMUM || choice == MIX_MAXIMUM_ALL)
			mixed[c] = -INFINITY;
		else if (choice != MIX_ROWS_ADD_UP)
			mixed[c] = 0;
	}
	for (size_t j = keys.from; j < keys.to; j++) {
		struct row value = value_row(work, i, j);
		double weight = weight_for(work, i, j);

		for (size_t c = 0; c < filled; c++)
			mixed[c] = mix_in(
				choice, mixed[c], weight, row_at(&value, c));
	}
	for (size_t c = 0; c < width; c++) {
		if (choice != MIX_NOT_RESET && choice != MIX_NEVER_RESET)
			break;
		sum += mixed[c];
		mixed[c] = sum;
	}
}

/* output ------------------------------------------------------------------- */

/* The columns that are computed. */
static size_t output_width(const struct work *work)
{
	switch (work->choice[OUTPUT]) {
	case OUTPUT_TO_D:
		return work->d;
	case OUTPUT_MISSES_COLUMN:
		return work->d_v - 1;
	default:
		return work->d_v;
	}
}

static size_t output_index(const struct work *work, size_t i, size_t c)
{
	switch (work->choice[OUTPUT]) {
	case OUTPUT_TRANSPOSED:
		return c * work->Tq + i;
	case OUTPUT_COLUMNS:
		return c * work->d_v + i;
	case OUTPUT_STRIDE:
		return i * work->d + c;
	default:
		return i * work->d_v + c;
	}
}

static double cut(double mixed, double scale)
{
	return round(mixed * scale) / scale;
}

static double output_value(const struct work *work, size_t i, size_t c,
	double mixed, double before)
{
	struct row query = row_of(work->Q, work->Tq, work->d, i);
	struct row value = row_of(work->V, work->Tk, work->d_v, i);

	switch (work->choice[OUTPUT]) {
	case OUTPUT_ACCUMULATES:
		return before + mixed;
	case OUTPUT_ADDS_QUERY:
		return mixed + row_at(&query, c);
	case OUTPUT_ADDS_QUERY_NARROW:
		return c < work->d ? mixed + row_at(&query, c) : mixed;
	case OUTPUT_ADDS_VALUE:
		return mixed + row_at(&value, c);
	case OUTPUT_SCALED:
		return mixed / work->root;
	case OUTPUT_BY_KEYS:
		return mixed / (double)work->Tk;
	case OUTPUT_BY_VISIBLE:
		return mixed / (double)(work->use[i].to - work->use[i].from);
	case OUTPUT_ROUNDED_5:
		return cut(mixed, 1e5);
	case OUTPUT_ROUNDED_4:
		return cut(mixed, 1e4);
	case OUTPUT_ROUNDED_3:
		return cut(mixed, 1e3);
	case OUTPUT_ROUNDED_2:
		return cut(mixed, 1e2);
	case OUTPUT_INT:
		return trunc(mixed);
	case OUTPUT_ZERO:
		return 0;
	default:
		return mixed;
	}
}

static void write_output(struct work *work, double *output)
{
	size_t from = work->choice[OUTPUT] == OUTPUT_MISSES_FIRST_ROW;
	size_t to = work->Tq - (work->choice[OUTPUT] == OUTPUT_MISSES_ROW);
	size_t width = output_width(work);
	double mixed[MOST] = {0};

	for (size_t i = from; i < to; i++) {
		if (work->choice[MIX] == 0 && width <= work->d_v)
			mix_right(work, i, width, mixed);
		else
			mix_slipped(work, i, width, mixed);
		for (size_t c = 0; c < width; c++) {
			size_t at = output_index(work, i, c);

			if (at < work->Tq * work->d_v)
				output[at] = output_value(
					work, i, c, mixed[c], output[at]);
		}
	}
}

void mistaken_solve(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d], const double V[Tk][d_v],
	bool causal, double output[Tq][d_v], const int choice[N_STAGES])
{
	struct work work;

	work.Tq = Tq;
	work.Tk = Tk;
	work.d = d;
	work.d_v = d_v;
	work.Q = &Q[0][0];
	work.K = &K[0][0];
	work.V = &V[0][0];
	work.causal = causal;
	work.root = sqrt((double)d);
	for (size_t s = 0; s < N_STAGES; s++)
		work.choice[s] = choice[s];

	choose_keys(&work);
	fill_dots(&work);
	scale_scores(&work);
	mask_scores(&work);
	fill_weights(&work);
	normalise(&work);
	write_output(&work, &output[0][0]);
}
