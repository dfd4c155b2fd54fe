/* SPDX-License-Identifier: MIT */
#include "grader/engine/shrink_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	DIGITS_MAX = 17, /* of a double */
	SMALL = 20,      /* whole numbers that are simple by themselves */
	POWERS = 10,     /* up to 10^9 */
};

/* How many digits it takes to write it, the zeros at its ends left out. */
static int count_digits(double x)
{
	char spelt[64];
	int digits = 1;

	for (; digits < DIGITS_MAX; digits++) {
		snprintf(spelt, sizeof(spelt), "%.*e", digits - 1, x);
		if (strtod(spelt, NULL) == x)
			break;
	}
	return digits;
}

/* The less, the simpler: no two numbers that are tried cost the same. */
static double cost_of(double x)
{
	double size = fabs(x);
	double sign = x < 0 ? 0.5 : 0;

	if (size <= SMALL && size == trunc(size))
		return size + sign;
	return (size == trunc(size) ? 100 : 10000) + 100 * count_digits(x) +
		log10(size) + sign;
}

/* Its first so many digits, the rest 0. */
static double cut(double x, int digits)
{
	double unit = pow(10, floor(log10(fabs(x))) + 1 - digits);

	return unit >= 1 ? trunc(x / unit) * unit
			 : trunc(x / unit) / round(1 / unit);
}

/* Numbers of all kinds that might do in the place of x, in order of cost. */
static double choose(double x, size_t k, bool *more_out)
{
	static const double small[] = {0, 1, -1, 2, -2, 3, -3, 4, 5};
	const size_t n_small = sizeof(small) / sizeof(*small);

	*more_out = k < n_small + POWERS + 1 + DIGITS_MAX;
	if (k < n_small)
		return small[k];
	k -= n_small;
	if (k < POWERS)
		return copysign(pow(10, (double)k), x);
	k -= POWERS;
	if (k == 0)
		return trunc(x);
	return x == 0 ? 0 : cut(x, (int)k);
}

static bool is_simpler(double chosen, double x)
{
	return cost_of(chosen) < cost_of(x) && fabs(chosen) <= fmax(1, fabs(x));
}

static bool shrink_real(size_t k, double *real)
{
	double x = *real;
	bool more = true;

	if (!isfinite(x))
		return false;
	for (size_t i = 0; more; i++) {
		double chosen = choose(x, i, &more);

		if (more && is_simpler(chosen, x) && k-- == 0) {
			*real = chosen;
			return true;
		}
	}
	return false;
}

/* Below zero there is nothing for a size. */
static bool shrink_whole(enum value_type type, size_t k, uint64_t *number)
{
	int64_t x = (int64_t)*number;
	bool more = true;

	for (size_t i = 0; more; i++) {
		int64_t chosen = (int64_t)choose((double)x, i, &more);

		if (more && is_simpler((double)chosen, (double)x) &&
			(chosen >= 0 || type == TYPE_INT) && k-- == 0) {
			*number = (uint64_t)chosen;
			return true;
		}
	}
	return false;
}

bool shrink_number(
	enum value_type type, size_t k, uint64_t *number, double *real)
{
	switch (type) {
	case TYPE_DOUBLE:
	case TYPE_FLOAT:
		return shrink_real(k, real);
	case TYPE_SIZE:
	case TYPE_INT:
		return shrink_whole(type, k, number);
	case TYPE_BOOL:
		if (k > 0 || *number == 0)
			return false;
		*number = 0;
		return true;
	case TYPE_CHAR:
	case TYPE_UINT64:
		break;
	}
	return false;
}
