/* SPDX-License-Identifier: MIT */
#include "exercise.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define ROUNDING 0x1p-53

void reference_classify(int n, float limit, const int x[n], bool small[n],
	char letter[n], int square[n], float half[n], size_t order[n][2],
	double half_tolerance[n])
{
	static const char letters[] = {'-', '0', '+'};

	for (int i = 0; i < n; i++) {
		small[i] = (double)x[i] <= (double)limit;
		letter[i] = letters[(x[i] > 0) - (x[i] < 0) + 1];
		square[i] = x[i] * x[i];
		half[i] = (float)(x[i] * 0.5);
		half_tolerance[i] = 0; /* exact for such small numbers */
		order[i][0] = order[i][1] = 0;
		for (int j = 0; j < n; j++)
			if (x[j] != x[i])
				order[i][x[j] > x[i]]++;
	}
}

void reference_count_true(size_t n, const bool flags[n], int result[1])
{
	result[0] = flags ? 0 : -1;
	for (size_t i = 0; flags && i < n; i++)
		result[0] += flags[i] ? 1 : 0;
}

/* n additions and a division, each rounded. */
void reference_mean(size_t n, const float x[n], double result[1],
	double result_tolerance[1])
{
	long double sum = 0, magnitude = 0;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		magnitude += fabsf(x[i]);
	}
	result[0] = (double)(sum / (long double)n);
	result_tolerance[0] =
		(double)(n + 1) * ROUNDING * (double)(magnitude / n);
}

void reference_contains(
	size_t n, const char text[n], char wanted, bool result[1])
{
	result[0] = false;
	for (size_t i = n; i-- > 0;)
		result[0] |= text[i] == wanted;
}

/* Three additions, each rounded. */
void reference_add_pair(size_t n_batch, const size_t batch[n_batch],
	const double *x, const double offset[2], double *sums,
	double *sums_tolerance)
{
	size_t count = 1;
	double a = offset ? offset[0] : 0, b = offset ? offset[1] : 0;

	for (size_t axis = 0; axis < n_batch; axis++)
		count *= batch[axis];
	for (size_t i = 0; i < count; i++) {
		const double *pair = &x[2 * i];

		sums[i] = pair[0] + a + pair[1] + b;
		sums_tolerance[i] = 4 * ROUNDING *
			(fabs(pair[0]) + fabs(pair[1]) + fabs(a) + fabs(b));
	}
}
