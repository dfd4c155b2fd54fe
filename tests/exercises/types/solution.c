/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>

void classify(int n, float limit, const int x[n], bool small[n], char letter[n],
	int square[n], float half[n], size_t order[n][2])
{
	for (int i = 0; i < n; i++) {
		small[i] = x[i] <= limit;
		letter[i] = x[i] < 0 ? '-' : x[i] > 0 ? '+' : '0';
		square[i] = x[i] * x[i];
		half[i] = x[i] / 2.0f;
		order[i][0] = 0;
		order[i][1] = 0;
		for (int j = 0; j < n; j++) {
			order[i][0] += x[j] < x[i];
			order[i][1] += x[j] > x[i];
		}
	}
}

int count_true(size_t n, const bool flags[n])
{
	int count = 0;

	if (!flags)
		return -1;
	for (size_t i = 0; i < n; i++)
		count += flags[i];
	return count;
}

double mean(size_t n, const float x[n])
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

bool contains(size_t n, const char text[n], char wanted)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == wanted)
			return true;
	return false;
}

void add_pair(size_t n_batch, const size_t batch[n_batch], const double *x,
	const double offset[2], double *sums)
{
	size_t count = 1;

	for (size_t a = 0; a < n_batch; a++)
		count *= batch[a];
	for (size_t i = 0; i < count; i++) {
		sums[i] = x[2 * i] + x[2 * i + 1];
		if (offset)
			sums[i] += offset[0] + offset[1];
	}
}
