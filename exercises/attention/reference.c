/* SPDX-License-Identifier: MIT */
/*
 * The expected output of attention, and how far a right answer may be from it.
 *
 * The value.  A score and the sums are kept as pairs hi + lo, an unevaluated
 * sum of two doubles that has twice a double's digits (Knuth's two_sum,
 * Dekker's two_product; Ogita, Rump, Oishi 2005, "Accurate sum and dot
 * product", Dot2).  Then exp(hi + lo) = exp(hi) (1 + lo), to a double's last
 * digit.  What is left is the error of exp(), of rounding each weight, each
 * product with a value, and the result: below 3e-16 times the largest value of
 *the column, also where scores of 3e9 nearly tie.
 *
 * The tolerance of an element is 1e-9 colmax + 8 B.  colmax is the largest |V|
 * of its column among the keys that the query may use.  The first part is what
 * we ask for: nine digits, more than float has.  B bounds what a program loses
 * that is right, but computes in double in the plain way.  With u = 2^-53,
 *
 *	A = largest sum over c of |q_c k_c| / sqrt(d), over the visible keys
 *	M = sum of w |V|,    D = sum of w |V - output|,    n visible keys
 *	B = u (2 (d + 3) A D + (n + 8 + 2 A) M) + (n + 2) 2^-1074
 *
 * - A score is off by at most (d + 3) u A: d products and additions, the root,
 *   the division.  A weight changes by as much, relatively, and so does the sum
 *   of all weights; only the weights' shifts against each other move the
 *   output, by D for each unit of relative error, twice at most.
 * - Score minus largest score is at most 2 A and is rounded: u 2 A M.  exp(),
 *   the division and n additions: u (n + 8) M.
 * - Each of n products, and the result, may underflow: 2^-1074 each.
 *
 * The factor 8 is for programs that are right in another order: the softmax in
 * one pass, a scaled query, a sum from the back.
 */
#include "exercise.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define ROUNDING 0x1p-53
#define SMALLEST 0x1p-1074
#define DIGITS_ASKED 1e-9
#define SAFETY 8

struct pair {
	double hi, lo;
};

/* a + b, exactly */
static struct pair two_sum(double a, double b)
{
	double hi = a + b;
	double of_b = hi - a;

	return (struct pair){hi, (a - (hi - of_b)) + (b - of_b)};
}

/* a * b, exactly, while nothing over- or underflows. */
#ifdef __FP_FAST_FMA
static struct pair two_product(double a, double b)
{
	double hi = a * b;

	return (struct pair){hi, fma(a, b, -hi)};
}
#else /* without the instruction, fma() is a slow function */
static double upper_half(double x)
{
	double shifted = 0x1.0000002p27 * x;

	return shifted - (shifted - x);
}

static struct pair two_product(double a, double b)
{
	double hi = a * b;
	double a_hi = upper_half(a), a_lo = a - a_hi;
	double b_hi = upper_half(b), b_lo = b - b_hi;

	return (struct pair){hi,
		((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}
#endif

/* sum += term */
static void pair_add(struct pair *sum, struct pair term)
{
	struct pair exact = two_sum(sum->hi, term.hi);

	sum->hi = exact.hi;
	sum->lo += exact.lo + term.lo;
}

/* hi takes all that it can of hi + lo. */
static struct pair pair_normalise(struct pair sum)
{
	return two_sum(sum.hi, sum.lo);
}

static struct pair pair_divide(struct pair a, struct pair b)
{
	double hi = a.hi / b.hi;
	struct pair back = two_product(hi, b.hi);
	double rest = ((a.hi - back.hi) - back.lo) + a.lo - hi * b.lo;

	return pair_normalise((struct pair){hi, rest / b.hi});
}

/* sqrt(d), with the digits that a double has no room for */
static struct pair root(size_t d)
{
	double hi = sqrt((double)d);
	struct pair square = two_product(hi, hi);

	return (struct pair){
		hi, (((double)d - square.hi) - square.lo) / (2 * hi)};
}

/* The score of one key; *magnitude_out gets the sum of |q_c k_c| / sqrt(d). */
static struct pair score(size_t d, const double q[d], const double k[d],
	struct pair root_d, double *magnitude_out)
{
	struct pair dot = {0, 0};
	double magnitude = 0;

	for (size_t c = 0; c < d; c++) {
		struct pair product = two_product(q[c], k[c]);

		pair_add(&dot, product);
		magnitude += fabs(product.hi);
	}
	*magnitude_out = magnitude / root_d.hi;
	return pair_divide(pair_normalise(dot), root_d);
}

/*
 * The softmax of scores[0..n), in place: scores[j].hi becomes exp(score -
 * largest score), .lo 0.  Returns their sum.
 */
static struct pair exponentials(size_t n, struct pair scores[n])
{
	struct pair largest = scores[0];
	struct pair sum = {0, 0};

	for (size_t j = 1; j < n; j++)
		if (scores[j].hi > largest.hi)
			largest = scores[j];

	for (size_t j = 0; j < n; j++) {
		struct pair shifted = two_sum(scores[j].hi, -largest.hi);

		shifted.lo += scores[j].lo - largest.lo;
		shifted = pair_normalise(shifted);
		scores[j].hi = exp(shifted.hi) * (1 + shifted.lo);
		scores[j].lo = 0;
		pair_add(&sum, scores[j]);
	}
	return pair_normalise(sum);
}

void reference_solve(size_t Tq, size_t Tk, size_t d, size_t d_v,
	const double Q[Tq][d], const double K[Tk][d], const double V[Tk][d_v],
	bool causal, double output[Tq][d_v], double output_tolerance[Tq][d_v])
{
	struct pair root_d = root(d);
	struct pair weights[Tk]; /* scores first, then not yet divided by sum */

	/* What the lesson leaves open has no right answer. */
	if (causal && Tq > Tk)
		abort();

	for (size_t i = 0; i < Tq; i++) {
		size_t n = causal ? i + 1 : Tk;
		double A = 0;

		for (size_t j = 0; j < n; j++) {
			double magnitude;

			weights[j] = score(d, Q[i], K[j], root_d, &magnitude);
			A = fmax(A, magnitude);
		}

		struct pair sum = exponentials(n, weights);

		for (size_t c = 0; c < d_v; c++) {
			struct pair mixed = {0, 0};
			double colmax = 0, D = 0, M = 0;

			for (size_t j = 0; j < n; j++) {
				double v = V[j][c];

				pair_add(&mixed,
					(struct pair){weights[j].hi * v, 0});
				colmax = fmax(colmax, fabs(v));
				M += weights[j].hi * fabs(v);
			}
			output[i][c] = pair_divide(mixed, sum).hi;
			for (size_t j = 0; j < n; j++)
				D += weights[j].hi *
					fabs(V[j][c] - output[i][c]);
			M /= sum.hi;
			D /= sum.hi;

			double width = (double)d, count = (double)n;
			double B = ROUNDING *
					(2 * (width + 3) * A * D +
						(count + 8 + 2 * A) * M) +
				(count + 2) * SMALLEST;

			output_tolerance[i][c] =
				DIGITS_ASKED * colmax + SAFETY * B;
		}
	}
}
