/* SPDX-License-Identifier: MIT */
/*
 * What is to be seen in a wrong output of attention, and a case worked step by
 * step.
 *
 * No sentence may be false, whatever program gave the output.  So each says
 * what the numbers show and not what the program does ("your weights are those
 * of dot products divided by 3"), and what is fitted must fit closely: else
 * nothing is said.  Outputs may be any numbers at all, NaN among them.
 *
 * The best are told by the probes (generators.c), whose values are the unit
 * matrix: their output is the weight matrix W.  In the terms of the lesson, for
 * the keys j that query i may use,
 *
 *	log W[i][j] = dot[i][j] / scale + c[i]
 *
 * whatever the weights of a row sum to; two numbers in each row are enough to
 * see the scale, and all others must lie on the line.  The c[i] then tell the
 * score of a blocked key that has a weight.
 */
#include "exercise.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
	SENTENCES_BYTES = 512,
	STEPS_BYTES = 8192,
	PROBE_MAX = 16, /* queries, keys or columns of a probe, at most */
};

/* A row of weights that is no closer to the line than this is not on it; and a
   number is off when it is off by more than that, relatively. */
#define FITS 1e-5
#define OFF 1e-3
/* Dot products of the probes that are like in most programs are below it. */
#define LARGE 100

/* Text that cannot grow beyond its room: what does not fit is left out. */
struct page {
	char *text;
	size_t size;
	size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(
	struct page *page, const char *format, ...)
{
	size_t room = page->size - page->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(page->text + page->used, room, format, args);
	va_end(args);
	if (n >= 0 && (size_t)n < room)
		page->used += (size_t)n;
	page->text[page->used] = '\0';
}

/* printf() knows two NaNs, "nan" and "-nan". */
static void put_number(struct page *page, double number, int digits)
{
	if (isnan(number))
		put(page, "NaN");
	else
		put(page, "%.*g", digits, number);
}

static size_t keys_of(size_t i, size_t Tk, bool causal)
{
	return causal && i + 1 < Tk ? i + 1 : Tk;
}

static double dot_product(size_t d, const double q[d], const double k[d])
{
	double dot = 0;

	for (size_t c = 0; c < d; c++)
		dot += q[c] * k[c];
	return dot;
}

static bool is_close(double a, double b, double scale)
{
	return fabs(a - b) <= OFF * scale;
}

/* The weight matrix --------------------------------------------------------
 */

/* One probe: its weights, and what they would come from. */
struct weights {
	size_t Tq, Tk, d, d_v;
	bool causal;
	double W[PROBE_MAX][PROBE_MAX];
	double right[PROBE_MAX][PROBE_MAX];
	double dot[PROBE_MAX][PROBE_MAX];
	bool known[PROBE_MAX]; /* the row is numbers, not all of them 0 */
	double scale;
	double c[PROBE_MAX]; /* of the known rows */
};

static bool is_unit(size_t Tk, size_t d_v, const double V[Tk][d_v])
{
	for (size_t j = 0; j < Tk; j++)
		for (size_t c = 0; c < d_v; c++)
			if (V[j][c] != (c == j ? 1 : 0))
				return false;
	return d_v >= Tk;
}

/* Whether all columns right of the unit matrix are 0, as they have to be: else
   the output is no mix of the value rows, and W no weights. */
static bool read_weights(struct weights *w, const double Q[w->Tq][w->d],
	const double K[w->Tk][w->d], const double output[w->Tq][w->d_v],
	const double expected[w->Tq][w->d_v])
{
	bool any = false;

	for (size_t i = 0; i < w->Tq; i++) {
		bool all_zero = true;

		w->known[i] = true;
		for (size_t j = 0; j < w->Tk; j++) {
			w->W[i][j] = output[i][j];
			w->right[i][j] = expected[i][j];
			w->dot[i][j] = dot_product(w->d, Q[i], K[j]);
			all_zero = all_zero && output[i][j] == 0;
		}
		for (size_t c = 0; c < w->d_v; c++)
			if (!isfinite(output[i][c]))
				w->known[i] = false;
		for (size_t c = w->Tk; c < w->d_v && w->known[i]; c++)
			if (output[i][c] != 0)
				return false;
		w->known[i] = w->known[i] && !all_zero;
		any = any || w->known[i];
	}
	return any;
}

static bool is_wrong(const struct weights *w)
{
	for (size_t i = 0; i < w->Tq; i++)
		for (size_t j = 0; j < w->Tk; j++)
			if (!(fabs(w->W[i][j] - w->right[i][j]) <= OFF * OFF))
				return true;
	return false;
}

/* Of the weights that a line can be laid through: those of keys that the query
   may use, above 0. */
static bool is_point(const struct weights *w, size_t i, size_t j)
{
	return w->known[i] && j < keys_of(i, w->Tk, w->causal) &&
		w->W[i][j] > 0;
}

/* The points of a row, counted from the first one: no digits are lost where
   the dot products are large. */
struct row_sums {
	size_t n;
	double x0, y0; /* the first */
	double x, y, xx, xy;
};

static struct row_sums sum_row(const struct weights *w, size_t i)
{
	struct row_sums sums = {0};

	for (size_t j = 0; j < w->Tk; j++) {
		double x, y;

		if (!is_point(w, i, j))
			continue;
		x = w->dot[i][j];
		y = log(w->W[i][j]);
		if (sums.n++ == 0) {
			sums.x0 = x;
			sums.y0 = y;
		}
		x -= sums.x0;
		y -= sums.y0;
		sums.x += x;
		sums.y += y;
		sums.xx += x * x;
		sums.xy += x * y;
	}
	return sums;
}

/* Whether all points lie on lines of one slope, with two to spare at least. */
static bool lie_on_lines(const struct weights *w)
{
	size_t rest = 0;

	for (size_t i = 0; i < w->Tq; i++) {
		for (size_t j = 0; j < w->Tk; j++) {
			double line = w->dot[i][j] / w->scale + w->c[i];

			if (!is_point(w, i, j))
				continue;
			if (!(fabs(log(w->W[i][j]) - line) <= FITS))
				return false;
			rest++;
		}
	}
	return rest >= w->Tq + 3;
}

/* Sets scale and c; false where the weights are no softmax of anything. */
static bool fit(struct weights *w)
{
	double xx = 0, xy = 0;
	double root = sqrt((double)w->d);

	for (size_t i = 0; i < w->Tq; i++) {
		struct row_sums sums = sum_row(w, i);
		double n = (double)sums.n;

		if (sums.n < 2)
			continue;
		xx += sums.xx - sums.x * sums.x / n;
		xy += sums.xy - sums.x * sums.y / n;
	}
	if (!(xx > 0) || !(fabs(xy) > FITS * xx))
		return false;
	w->scale = xx / xy;
	/* With dot products of 1e9, the digits of the root itself count. */
	if (fabs(w->scale / root - 1) < FITS)
		w->scale = root;
	for (size_t i = 0; i < w->Tq; i++) {
		struct row_sums sums = sum_row(w, i);
		double n = (double)sums.n;

		w->c[i] = NAN;
		if (sums.n > 0)
			w->c[i] = sums.y0 - sums.x0 / w->scale +
				(sums.y - sums.x / w->scale) / n;
	}
	return lie_on_lines(w);
}

/* What it tells ------------------------------------------------------------
 */

/* A name for what the dot products are divided by; NULL if there is none. */
static const char *name_of(const struct weights *w, double number)
{
	const struct {
		double number;
		const char *name;
	} names[] = {
		{(double)w->d, "d"},
		{(double)w->Tk, "Tk"},
		{(double)w->Tq, "Tq"},
		{(double)w->d_v, "d_v"},
		{sqrt((double)w->Tk), "sqrt(Tk)"},
		{sqrt((double)w->Tq), "sqrt(Tq)"},
		{sqrt((double)w->d_v), "sqrt(d_v)"},
		{sqrt((double)w->d), "sqrt(d)"},
	};

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
		if (fabs(names[n].number / number - 1) < FITS)
			return names[n].name;
	return NULL;
}

static bool has_right_scale(const struct weights *w)
{
	return w->scale > 0 && is_close(w->scale, sqrt((double)w->d), w->scale);
}

static void say_scale(struct page *page, const struct weights *w)
{
	bool multiplied = fabs(w->scale) < 1 - OFF;
	double number = multiplied ? 1 / w->scale : w->scale;
	const char *name = name_of(w, number);

	if (has_right_scale(w))
		return;
	if (w->scale < 0) {
		put(page,
			"The higher a score is, the lower is its weight in "
			"your "
			"output.\n");
		return;
	}
	if (is_close(w->scale, 1, 1))
		put(page,
			"Your weights are those of dot products that are not "
			"divided by anything;");
	else
		put(page, "Your weights are those of dot products %s by %.4g",
			multiplied ? "multiplied" : "divided", number);
	if (!is_close(w->scale, 1, 1) && name)
		put(page, ", which is %s here;", name);
	else if (!is_close(w->scale, 1, 1))
		put(page, ";");
	put(page, " sqrt(d) is %.4g.\n", sqrt((double)w->d));
}

static void say_sum(struct page *page, const struct weights *w)
{
	for (size_t i = 0; i < w->Tq; i++) {
		double sum = 0;

		for (size_t j = 0; j < w->Tk; j++)
			sum += w->W[i][j];
		if (!w->known[i] || is_close(sum, 1, 1))
			continue;
		put(page, "The weights of row %zu sum to %.3g.\n", i, sum);
		return;
	}
}

/* A key that may be used, and has no weight. */
static void say_missing(struct page *page, const struct weights *w)
{
	for (size_t i = 0; i < w->Tq; i++) {
		for (size_t j = 0; j < keys_of(i, w->Tk, w->causal); j++) {
			if (!w->known[i] || w->W[i][j] != 0 ||
				w->right[i][j] <= OFF)
				continue;
			put(page,
				"Value row %zu has no share in row %zu of your "
				"output, and query %zu may use key %zu.\n",
				j, i, i, j);
			return;
		}
	}
}

/* The blocked keys that have a weight. */
struct blocked {
	size_t count;
	size_t row, key; /* the first of them */
	size_t n_scored; /* in rows where a score can be told */
	double score;    /* of the first of these */
	double added;    /* to the score that it would have */
	bool same_score; /* all of these have that score */
	bool same_added;
};

static struct blocked find_blocked(const struct weights *w)
{
	struct blocked found = {.same_score = true, .same_added = true};

	for (size_t i = 0; i < w->Tq; i++) {
		for (size_t j = keys_of(i, w->Tk, w->causal); j < w->Tk; j++) {
			double own = w->dot[i][j] / w->scale;
			double score = log(w->W[i][j]) - w->c[i];

			if (!w->known[i] || !(w->W[i][j] > 0))
				continue;
			if (found.count++ == 0) {
				found.row = i;
				found.key = j;
			}
			if (!isfinite(w->c[i]))
				continue;
			if (found.n_scored++ == 0) {
				found.score = score;
				found.added = score - own;
			}
			if (!(fabs(score - found.score) <=
				    FITS * fmax(1, fabs(score) * FITS)))
				found.same_score = false;
			if (!(fabs(score - own - found.added) <=
				    FITS * fmax(1, fabs(own) * FITS)))
				found.same_added = false;
		}
	}
	return found;
}

/* -1000000000, 0.25: large ones in full, and no digits of rounding. */
static void put_score(struct page *page, double score)
{
	if (fabs(score) >= 1e6 && is_close(score, round(score), 1))
		put(page, "%.0f", round(score));
	else
		put(page, "%.6g", fabs(score) < FITS * FITS ? 0 : score);
}

static bool say_blocked(struct page *page, const struct weights *w)
{
	struct blocked blocked = find_blocked(w);

	if (blocked.count == 0)
		return false;
	/* Three of them: one number alone would agree with anything.  And what
	   a score is, is known for sure where the scale is right. */
	if (blocked.n_scored >= 3 && has_right_scale(w) && blocked.same_score) {
		put(page, "Blocked keys get the score ");
		put_score(page, blocked.score);
		put(page, " in your output, and with it a weight.\n");
		return true;
	}
	if (blocked.n_scored >= 3 && has_right_scale(w) && blocked.same_added &&
		fabs(blocked.added) > OFF) {
		put(page,
			"Blocked keys have a weight in your output: that of "
			"their score with ");
		put_score(page, blocked.added);
		put(page, " added.\n");
		return true;
	}
	put(page,
		"Row %zu of your output has a share of value row %zu, a later "
		"key that query %zu may not use.\n",
		blocked.row, blocked.key, blocked.row);
	return true;
}

/* Weights that are no softmax of the scores --------------------------------
 */

static bool have_equal_weights(const struct weights *w)
{
	double first = w->W[0][0];

	if (w->causal || w->Tk < 2 || !(first > 0))
		return false;
	for (size_t i = 0; i < w->Tq; i++)
		for (size_t j = 0; j < w->Tk; j++)
			if (!(fabs(w->W[i][j] / first - 1) <= FITS))
				return false;
	return true;
}

/* Whether the weights of each row are its dot products, but for a factor. */
static bool are_scores(const struct weights *w)
{
	for (size_t i = 0; i < w->Tq; i++) {
		double factor = w->W[i][0] / w->dot[i][0];

		for (size_t j = 1; j < keys_of(i, w->Tk, w->causal); j++)
			if (!(fabs(w->W[i][j] / w->dot[i][j] / factor - 1) <=
				    FITS))
				return false;
	}
	return w->Tk >= 3 && !w->causal;
}

/* Whether each key's weights add up to 1, over all queries. */
static bool add_up_by_keys(const struct weights *w)
{
	for (size_t j = 0; j < w->Tk; j++) {
		double sum = 0;

		for (size_t i = 0; i < w->Tq; i++) {
			sum += w->W[i][j];
			if (!(w->W[i][j] > 0))
				return false;
		}
		if (!(fabs(sum - 1) <= FITS))
			return false;
	}
	return w->Tk >= 3 && !w->causal;
}

/* The one column that is not 0 in any row, or Tk. */
static size_t only_column(const struct weights *w)
{
	size_t found = w->Tk;

	for (size_t i = 0; i < w->Tq; i++) {
		for (size_t j = 0; j < w->Tk; j++) {
			if (w->W[i][j] == 0)
				continue;
			if (found < w->Tk && found != j)
				return w->Tk;
			found = j;
		}
	}
	return found;
}

/* Whether each row is one value row, and which the first is. */
static bool are_single_rows(const struct weights *w, size_t *first_out)
{
	for (size_t i = w->Tq; i-- > 0;) {
		size_t ones = 0;

		for (size_t j = 0; j < w->Tk; j++) {
			if (w->W[i][j] != 0 && w->W[i][j] != 1)
				return false;
			ones += w->W[i][j] == 1;
			if (w->W[i][j] == 1)
				*first_out = j;
		}
		if (ones != 1)
			return false;
	}
	return w->Tk >= 2 && !w->causal;
}

static void say_shape(struct page *page, const struct weights *w)
{
	size_t only = only_column(w);
	size_t first = 0;

	if (w->causal)
		return;
	for (size_t i = 0; i < w->Tq; i++)
		if (!w->known[i])
			return;
	if (have_equal_weights(w))
		put(page,
			"All keys have the same weight in your output, %.3g, "
			"whatever their scores are.\n",
			w->W[0][0]);
	else if (only < w->Tk)
		put(page, "Only value row %zu has a share in your output.\n",
			only);
	else if (are_single_rows(w, &first))
		put(page,
			"Row 0 of your output is value row %zu alone, and no "
			"mix; so are the others.\n",
			first);
	else if (are_scores(w))
		put(page,
			"Your weights grow like the dot products themselves, "
			"not like exp of them.\n");
	else if (add_up_by_keys(w))
		put(page,
			"The weights in your output sum to 1 for each key, "
			"over "
			"all queries.  They should for each query, over its "
			"keys.\n");
}

/* Two probes ---------------------------------------------------------------
 */

/* The probe of before: all are asked about in one process, in order. */
static struct {
	bool finite; /* the first was, in all of its numbers */
	bool known;
	size_t Tq, Tk, d, d_v;
	double Q[PROBE_MAX][PROBE_MAX];
	double K[PROBE_MAX][PROBE_MAX];
	double output[PROBE_MAX][PROBE_MAX];
} before;

static void remember(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d],
	const double output[Tq][d_v])
{
	before.known = true;
	before.Tq = Tq;
	before.Tk = Tk;
	before.d = d;
	before.d_v = d_v;
	for (size_t i = 0; i < Tq; i++) {
		memcpy(before.Q[i], Q[i], sizeof(Q[i]));
		memcpy(before.output[i], output[i], sizeof(output[i]));
	}
	for (size_t j = 0; j < Tk; j++)
		memcpy(before.K[j], K[j], sizeof(K[j]));
}

/* The one key that is not as before; Tk unless it is one, and the queries are
   the same. */
static size_t changed_token(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d])
{
	size_t found = Tk;

	if (!before.known || before.Tq != Tq || before.Tk != Tk ||
		before.d != d || before.d_v != d_v)
		return Tk;
	for (size_t i = 0; i < Tq; i++)
		if (memcmp(before.Q[i], Q[i], sizeof(Q[i])) != 0)
			return Tk;
	for (size_t j = 0; j < Tk; j++) {
		if (memcmp(before.K[j], K[j], sizeof(K[j])) == 0)
			continue;
		if (found < Tk)
			return Tk;
		found = j;
	}
	return found;
}

static bool differ(double a, double b)
{
	if (!isfinite(a) || !isfinite(b))
		return isfinite(a) != isfinite(b);
	return !is_close(a, b, 1);
}

/* A row that changed with a later token.  Only the last of the values that the
   two probes have may differ as well, which is that token's. */
static void say_changed(struct page *page, size_t Tq, size_t Tk, size_t d_v,
	const double output[Tq][d_v], size_t token)
{
	for (size_t i = 0; i < Tq && i < token && token < Tk; i++) {
		for (size_t c = 0; c < d_v; c++) {
			if (!differ(output[i][c], before.output[i][c]))
				continue;
			put(page,
				"Row %zu of your output changed when only "
				"token "
				"%zu changed, which comes later.\n",
				i, token);
			return;
		}
	}
}

/* Cases of any values ------------------------------------------------------
 */

/* The least and the largest value of a column that a query may use. */
static void find_range(size_t n, size_t d_v, const double V[][d_v], size_t c,
	double *least_out, double *largest_out)
{
	*least_out = *largest_out = V[0][c];
	for (size_t j = 1; j < n; j++) {
		*least_out = fmin(*least_out, V[j][c]);
		*largest_out = fmax(*largest_out, V[j][c]);
	}
}

static bool is_row_wrong(
	size_t d_v, const double got[d_v], const double expected[d_v])
{
	for (size_t c = 0; c < d_v; c++)
		if (!(fabs(got[c] - expected[c]) <=
			    OFF * fmax(OFF, fabs(expected[c]))))
			return true;
	return false;
}

static void put_row(struct page *page, size_t d_v, const double row[d_v])
{
	const size_t most = 4;

	for (size_t c = 0; c < d_v && c < most; c++) {
		put(page, " ");
		put_number(page, row[c], 6);
	}
	if (d_v > most)
		put(page, " ...");
}

/* With one key, there is nothing to compute. */
static bool say_one_key(struct page *page, size_t Tk, size_t d_v,
	const double V[Tk][d_v], bool causal, const double output[][d_v],
	const double expected[][d_v])
{
	if (keys_of(0, Tk, causal) > 1 ||
		!is_row_wrong(d_v, output[0], expected[0]))
		return false;
	for (size_t c = 0; c < d_v; c++)
		if (!isfinite(output[0][c]))
			return false;
	put(page,
		"Query 0 may use key 0 alone, so row 0 of the output has to "
		"be value row 0:");
	put_row(page, d_v, V[0]);
	put(page, ".  Yours is");
	put_row(page, d_v, output[0]);
	put(page, ".\n");
	return true;
}

static bool all_finite(size_t Tq, size_t d_v, const double output[Tq][d_v])
{
	for (size_t i = 0; i < Tq; i++)
		for (size_t c = 0; c < d_v; c++)
			if (!isfinite(output[i][c]))
				return false;
	return true;
}

static double largest_score(
	size_t Tk, size_t d, const double q[d], const double K[Tk][d])
{
	double largest = -INFINITY;

	for (size_t j = 0; j < Tk; j++)
		largest = fmax(
			largest, dot_product(d, q, K[j]) / sqrt((double)d));
	return largest;
}

/*
 * What is no number is laid to exp() only if it can be nothing else: the probes
 * were numbers, and here the rows are none exactly where the scores are large.
 * With the mask, the keys behind it might be to blame as well.
 */
static bool say_infinite(struct page *page, size_t Tq, size_t Tk, size_t d,
	size_t d_v, const double Q[Tq][d], const double K[Tk][d], bool causal,
	const double output[Tq][d_v])
{
	size_t found = Tq;
	double score;

	if (causal || !before.finite)
		return false;
	for (size_t i = 0; i < Tq; i++) {
		double largest = largest_score(Tk, d, Q[i], K);
		bool large = largest > 710 || largest < -746;

		for (size_t c = 0; c < d_v; c++)
			if (isfinite(output[i][c]) == large)
				return false;
		if (large && found == Tq)
			found = i;
	}
	if (found == Tq)
		return false;
	score = largest_score(Tk, d, Q[found], K);
	if (score > 0)
		put(page,
			"A score of query %zu is %.6g, and exp() of a number "
			"above 709.78 is infinite.\n",
			found, score);
	else
		put(page,
			"All scores of query %zu are below -745, and exp() of "
			"such a number is 0.\n",
			found);
	return true;
}

static bool say_outside(struct page *page, size_t Tq, size_t Tk, size_t d_v,
	const double V[Tk][d_v], bool causal, const double output[Tq][d_v])
{
	for (size_t i = 0; i < Tq; i++) {
		size_t n = keys_of(i, Tk, causal);

		for (size_t c = 0; c < d_v; c++) {
			double least, largest, slack;

			find_range(n, d_v, V, c, &least, &largest);
			slack = OFF * fmax(fabs(least), fabs(largest));
			if (!isfinite(output[i][c]) ||
				(output[i][c] >= least - slack &&
					output[i][c] <= largest + slack))
				continue;
			put(page,
				"output[%zu][%zu] is %.6g, but the values that "
				"it is an average of go from %.6g to %.6g.\n",
				i, c, output[i][c], least, largest);
			return true;
		}
	}
	return false;
}

/* Equal scores make a plain average. */
static bool say_equal_scores(struct page *page, size_t Tq, size_t Tk, size_t d,
	size_t d_v, const double Q[Tq][d], const double K[Tk][d], bool causal,
	const double output[Tq][d_v], const double expected[Tq][d_v])
{
	for (size_t i = 0; i < Tq; i++) {
		size_t n = keys_of(i, Tk, causal);
		double first = dot_product(d, Q[i], K[0]);
		bool equal = n > 1;

		for (size_t j = 1; j < n; j++)
			equal = equal && dot_product(d, Q[i], K[j]) == first;
		if (!equal || !is_row_wrong(d_v, output[i], expected[i]))
			continue;
		put(page,
			"All scores of query %zu are equal, so its row of the "
			"output has to be the plain average of %zu value rows:",
			i, n);
		put_row(page, d_v, expected[i]);
		put(page, ".  Yours is");
		put_row(page, d_v, output[i]);
		put(page, ".\n");
		return true;
	}
	return false;
}

static bool has_large_scores(const struct weights *w)
{
	for (size_t i = 0; i < w->Tq; i++)
		for (size_t j = 0; j < w->Tk; j++)
			if (fabs(w->dot[i][j]) > LARGE)
				return true;
	return false;
}

static void explain_weights(struct page *page, struct weights *w,
	const double Q[w->Tq][w->d], const double K[w->Tk][w->d],
	const double output[w->Tq][w->d_v],
	const double expected[w->Tq][w->d_v])
{
	if (!read_weights(w, Q, K, output, expected) || !is_wrong(w))
		return;
	if (!fit(w)) {
		say_shape(page, w);
		return;
	}
	if (!say_blocked(page, w))
		say_missing(page, w);
	/* Where all scores are below 0, a slip with signs looks like another.
	 */
	if (!has_large_scores(w)) {
		say_sum(page, w);
		say_scale(page, w);
	}
}

bool explain_solve(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d], const double V[Tk][d_v],
	bool causal, const double output[Tq][d_v],
	const double expected_output[Tq][d_v], char text[SENTENCES_BYTES])
{
	struct page page = {text, SENTENCES_BYTES, 0};
	bool small = Tq <= PROBE_MAX && Tk <= PROBE_MAX && d <= PROBE_MAX &&
		d_v <= PROBE_MAX;

	if (small && is_unit(Tk, d_v, V)) {
		struct weights w = {.Tq = Tq,
			.Tk = Tk,
			.d = d,
			.d_v = d_v,
			.causal = causal};

		explain_weights(&page, &w, Q, K, output, expected_output);
		before.known = false;
		if (causal)
			remember(Tq, Tk, d, d_v, Q, K, output);
		else
			before.finite = all_finite(Tq, d_v, output);
	} else if (small && before.known &&
		changed_token(Tq, Tk, d, d_v, Q, K) < Tk) {
		say_changed(&page, Tq, Tk, d_v, output,
			changed_token(Tq, Tk, d, d_v, Q, K));
	} else if (!say_infinite(&page, Tq, Tk, d, d_v, Q, K, causal, output) &&
		!say_one_key(
			&page, Tk, d_v, V, causal, output, expected_output) &&
		!say_equal_scores(&page, Tq, Tk, d, d_v, Q, K, causal, output,
			expected_output)) {
		say_outside(&page, Tq, Tk, d_v, V, causal, output);
	}
	/* The last newline is not part of it. */
	if (page.used > 0)
		text[--page.used] = '\0';
	return page.used > 0;
}

/* Step by step -------------------------------------------------------------
 */

enum {
	LABEL_COLUMNS = 22,
	NUMBER_COLUMNS = 12,
	NUMBER_BYTES = 32,
	KEYS_SHOWN = 3, /* so that no line is wider than 78 columns */
};

/* At most NUMBER_COLUMNS - 1 characters. */
static void spell(double number, char out[NUMBER_BYTES])
{
	int n = snprintf(out, NUMBER_BYTES, "%.6g", number);

	if (n >= NUMBER_COLUMNS)
		snprintf(out, NUMBER_BYTES, "%.4g", number);
}

/* One line of the table: a label, a number for each key, and a remark. */
static void put_line(struct page *page, const char *label, size_t n,
	const double numbers[n], const char *remark, double remarked)
{
	char spelt[NUMBER_BYTES];

	put(page, "    %-*s", LABEL_COLUMNS - 4, label);
	for (size_t j = 0; j < n && j < KEYS_SHOWN; j++) {
		spell(numbers[j], spelt);
		put(page, "%-*s", NUMBER_COLUMNS, spelt);
	}
	if (remark) {
		spell(remarked, spelt);
		put(page, "%s: %s", remark, spelt);
	}
	while (page->used > 0 && page->text[page->used - 1] == ' ')
		page->used--;
	put(page, "\n");
}

static void put_head(struct page *page, size_t i, size_t n)
{
	if (n == 1)
		put(page, "Query %zu may use key 0 alone.\n\n", i);
	else
		put(page, "Query %zu may use keys 0 to %zu.\n\n", i, n - 1);
	put(page, "    %-*s", LABEL_COLUMNS - 4, "key");
	for (size_t j = 0; j < n && j < KEYS_SHOWN; j++)
		put(page, "%-*zu", NUMBER_COLUMNS, j);
	if (n > KEYS_SHOWN)
		put(page, "(and %zu more)", n - KEYS_SHOWN);
	while (page->used > 0 && page->text[page->used - 1] == ' ')
		page->used--;
	put(page, "\n");
}

/* The softmax of n scores, a line for each step. */
static void put_softmax(struct page *page, size_t n, double numbers[n])
{
	double largest = numbers[0];
	double sum = 0;

	for (size_t j = 1; j < n; j++)
		largest = fmax(largest, numbers[j]);
	put_line(page, "score, / sqrt(d)", n, numbers, "largest", largest);
	for (size_t j = 0; j < n; j++)
		numbers[j] -= largest;
	put_line(page, "minus the largest", n, numbers, NULL, 0);
	for (size_t j = 0; j < n; j++) {
		numbers[j] = exp(numbers[j]);
		sum += numbers[j];
	}
	put_line(page, "exp", n, numbers, "sum", sum);
	for (size_t j = 0; j < n; j++)
		numbers[j] /= sum;
	put_line(page, "weight, / sum", n, numbers, NULL, 0);
}

/* Which rows of the output are wrong, and how. */
static void put_outputs(struct page *page, size_t i, size_t d_v,
	const double right[d_v], const double output[d_v])
{
	put(page, "\n    %-*s%-*s%s\n", LABEL_COLUMNS - 4, "",
		2 * NUMBER_COLUMNS, "right", "yours");
	for (size_t c = 0; c < d_v; c++) {
		char name[64];
		bool wrong = !(fabs(output[c] - right[c]) <=
			OFF * OFF * OFF * fmax(OFF, fabs(right[c])));

		snprintf(name, sizeof(name), "output[%zu][%zu]", i, c);
		put(page, "    %-*s%-*.10g", LABEL_COLUMNS - 4, name,
			2 * NUMBER_COLUMNS, right[c]);
		put_number(page, output[c], 10);
		put(page, "%s\n", wrong ? "   <- wrong" : "");
	}
	put(page, "\n");
}

void steps_solve(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d], const double V[Tk][d_v],
	bool causal, const double output[Tq][d_v], char text[STEPS_BYTES])
{
	/* Room for the last line is kept. */
	struct page page = {text, STEPS_BYTES - 64, 0};
	double root = sqrt((double)d);

	put(&page, "sqrt(d) is %.7g.\n\n", root);
	for (size_t i = 0; i < Tq; i++) {
		size_t n = keys_of(i, Tk, causal);
		double numbers[n];
		double right[d_v];

		for (size_t j = 0; j < n; j++)
			numbers[j] = dot_product(d, Q[i], K[j]);
		put_head(&page, i, n);
		put_line(&page, "dot product", n, numbers, NULL, 0);
		for (size_t j = 0; j < n; j++)
			numbers[j] /= root;
		put_softmax(&page, n, numbers);
		for (size_t c = 0; c < d_v; c++) {
			right[c] = 0;
			for (size_t j = 0; j < n; j++)
				right[c] += numbers[j] * V[j][c];
		}
		put_outputs(&page, i, d_v, right, output[i]);
	}
	while (page.used > 0 && text[page.used - 1] == '\n')
		text[--page.used] = '\0';
}
