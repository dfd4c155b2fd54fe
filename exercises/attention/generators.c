/* SPDX-License-Identifier: MIT */
/*
 * Families of cases for attention.
 *
 * gentle is what a plain test would use: it catches every slip of the formula.
 * The others have large scores.  Large scores drawn at random would be useless:
 * one key would win every row by hundreds, its weight would be 1, and most
 * mistakes could not be seen.  So in all of them the scores that matter lie
 * close together, and they are exact.  With r = sqrt(d), which is a power of 2
 * because d is 4, 16 or 64,
 *
 *	query i = r (x_i, 1, row_i, 0, 0, ...)
 *	key   j =   (y_j, z_j + key_j, 1, anything, ...)
 *	score   =   x_i y_j + z_j + row_i + key_j
 *
 * where x, y, z are multiples of 1/16 between -1 and 1, and row_i and key_j are
 * whole numbers.  No step of it rounds, in whatever order it is added up, up
 * to levels of 1e12: two correct programs that sum differently get the same
 * scores, and the weights depend on x, y and z alone.
 */
#include "exercise.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	STEP_BITS = 4, /* x, y, z are multiples of 2^-4 */
	ROW = 2,       /* the component that lifts a query's scores */
};

static void fill_normal(
	struct random *random, double *out, size_t count, double deviation)
{
	for (size_t n = 0; n < count; n++)
		out[n] = random_normal(random, 0, deviation);
}

/* Queries and keys with exact scores, as above; d is 4, 16 or 64, row_i is 0.
 */
static void fill_exact(struct random *random, size_t Tq, size_t Tk, size_t d,
	double Q[Tq][d], double K[Tk][d], const double key_level[Tk])
{
	double r = sqrt((double)d);

	for (size_t i = 0; i < Tq; i++) {
		for (size_t c = 0; c < d; c++)
			Q[i][c] = 0;
		Q[i][0] = r * random_dyadic(random, -1, 1, STEP_BITS);
		Q[i][1] = r;
	}
	for (size_t j = 0; j < Tk; j++) {
		fill_normal(random, K[j], d, 1);
		K[j][0] = random_dyadic(random, -1, 1, STEP_BITS);
		K[j][1] =
			key_level[j] + random_dyadic(random, -1, 1, STEP_BITS);
		K[j][ROW] = 1;
	}
}

/*
 * gentle [spread]: normal numbers; the scores' standard deviation is spread.
 *
 * With 1.7, every visible key has a share in the result that can be seen, and
 * no two have the same.  Catches every slip of the formula: a wrong index, no
 * square root, no mask, a sum that is not reset.  Of any sizes: with Tq, Tk, d
 * and d_v all different it also catches sizes that are mixed up.  A softmax
 * that subtracts no maximum passes: nothing overflows here.
 */
void generate_gentle(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(seed);
	/* A score is a sum of d products over sqrt(d). */
	double deviation = sqrt(argument[0]);

	(void)causal;
	fill_normal(&random, &Q[0][0], Tq * d, deviation);
	fill_normal(&random, &K[0][0], Tk * d, deviation);
	fill_normal(&random, &V[0][0], Tk * d_v, 2);
}

/*
 * level [offset]: all scores lie within 2 of offset.  Of any sizes but d.
 *
 * above (2000, 20000): exp() of such scores is infinite, and Inf / Inf is NaN;
 * scores that are clipped become equal.  20000 is too much for long double.
 * below (-2000): all exp() are 0, and 0 / 0 is NaN; catches a maximum that
 * starts at 0, and the maximum of |score|.
 * deep4, deep9 (-20000, -3e9; causal): a blocked key whose score was set to
 * -1e4 or -1e9, as if that were low, beats all the keys that may be used.
 */
void generate_level(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(seed);
	double key_level[Tk];

	(void)causal;
	for (size_t j = 0; j < Tk; j++)
		key_level[j] = argument[0];
	fill_exact(&random, Tq, Tk, d, Q, K, key_level);
	fill_normal(&random, &V[0][0], Tk * d_v, 2);
}

/*
 * rows [offset]: the scores of query i lie around offset + i and -offset - i
 * in turn; chance says which comes first.  Take three queries or more.
 *
 * Catches one maximum for the whole matrix, and a maximum that is not started
 * anew for each query: both leave the low rows with nothing but zeros.
 */
void generate_rows(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(seed);
	double sign = random_integer(&random, 0, 1) ? 1 : -1;
	double key_level[Tk];

	(void)causal;
	for (size_t j = 0; j < Tk; j++)
		key_level[j] = 0;
	fill_exact(&random, Tq, Tk, d, Q, K, key_level);
	for (size_t i = 0; i < Tq; i++) {
		double row_level = sign * (argument[0] + (double)i);

		Q[i][ROW] = sqrt((double)d) * row_level;
		sign = -sign;
	}
	fill_normal(&random, &V[0][0], Tk * d_v, 2);
}

/*
 * spike [height]: the scores of the first half of the keys lie around 0, those
 * of the second half around height.  For causal cases: the first queries may
 * use low keys only, and the keys that they may not use are far above.
 *
 * Catches a maximum that is taken over blocked keys as well, and a mask that
 * comes after the softmax: the weights that remain are all 0.
 * spike9 (3e9): catches -1e9 that is added to a blocked score.
 */
void generate_spike(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(seed);
	double key_level[Tk];

	(void)causal;
	for (size_t j = 0; j < Tk; j++)
		key_level[j] = 2 * j < Tk ? 0 : argument[0];
	fill_exact(&random, Tq, Tk, d, Q, K, key_level);
	fill_normal(&random, &V[0][0], Tk * d_v, 2);
}

/*
 * ramp [first, step]: the keys come in three parts, whose scores lie around
 * first, first + step and first + 2 step.  Take three keys or more.
 *
 * up (0, 1000): catches the first score, the mean or the minimum subtracted in
 * place of the maximum.
 * down (2000, -1000): the mean and the minimum again; the first score happens
 * to do here, and a program that looks only at the last key fails.
 * below (-3000, 2000): the largest |score| is not that of the largest score.
 */
void generate_ramp(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(seed);
	double key_level[Tk];

	(void)causal;
	for (size_t j = 0; j < Tk; j++)
		key_level[j] = argument[0] + argument[1] * (double)(3 * j / Tk);
	fill_exact(&random, Tq, Tk, d, Q, K, key_level);
	fill_normal(&random, &V[0][0], Tk * d_v, 2);
}

/* Probes -------------------------------------------------------------------
 *
 * They are run when a submission has failed, and explain.c reads their outputs.
 * The values are the unit matrix, with columns of 0 to its right: output[i][j]
 * is then the weight that query i gives to key j.  What chance does to these
 * cases is the same for every seed.
 */

static void fill_unit(size_t Tk, size_t d_v, double V[Tk][d_v])
{
	for (size_t j = 0; j < Tk; j++)
		for (size_t c = 0; c < d_v; c++)
			V[j][c] = c == j ? 1 : 0;
}

/*
 * weights [spread, token]: as in gentle.  Of two cases that differ in token
 * alone, the second has another key and value for this one token; -1: for none.
 */
void generate_weights(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	struct random random = random_start(7);
	double deviation = sqrt(argument[0]);

	(void)seed;
	(void)causal;
	fill_normal(&random, &Q[0][0], Tq * d, deviation);
	fill_normal(&random, &K[0][0], Tk * d, deviation);
	fill_unit(Tk, d_v, V);
	if (argument[1] >= 0) {
		size_t token = (size_t)argument[1];

		fill_normal(&random, K[token], d, deviation);
		V[token][token] = 2;
	}
}

/*
 * levels [height]: the scores of query i lie around level i below, plus height
 * for the last of the keys.  A blocked key whose score is one of these levels
 * has a weight that tells which.
 */
void generate_levels(uint64_t seed, size_t Tq, size_t Tk, size_t d, size_t d_v,
	double Q[Tq][d], double K[Tk][d], double V[Tk][d_v], bool causal,
	const double argument[])
{
	static const double levels[] = {-1e9, -1e6, -1e5, -1e4, -1e3, -100, -20};
	enum { LEVELS = sizeof(levels) / sizeof(*levels) };
	struct random random = random_start(7);
	double key_level[Tk];

	(void)seed;
	(void)causal;
	for (size_t j = 0; j < Tk; j++)
		key_level[j] = j + 1 == Tk ? argument[0] : 0;
	fill_exact(&random, Tq, Tk, d, Q, K, key_level);
	for (size_t i = 0; i < Tq; i++)
		Q[i][ROW] = sqrt((double)d) * levels[i % LEVELS];
	fill_unit(Tk, d_v, V);
}
