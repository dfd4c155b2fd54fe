/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* output = softmax(Q K^T / sqrt(d)) V, one query after the other. */
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
	const double K[Tk][d], const double V[Tk][d_v], bool causal,
	double output[Tq][d_v])
{
	double weights[Tk];

	for (size_t i = 0; i < Tq; i++) {
		/* 1. Count the keys that query i may use. */
		size_t n = causal ? i + 1 : Tk;

		/* 2. Score each of them, and remember the largest score. */
		double largest = -INFINITY;

		for (size_t j = 0; j < n; j++) {
			double dot = 0;

			for (size_t c = 0; c < d; c++)
				dot += Q[i][c] * K[j][c];
			weights[j] = dot / sqrt((double)d);
			if (weights[j] > largest)
				largest = weights[j];
		}

		/* 3. Turn the scores into weights that add up to 1. */
		double sum = 0;

		for (size_t j = 0; j < n; j++) {
			weights[j] = exp(weights[j] - largest);
			sum += weights[j];
		}
		for (size_t j = 0; j < n; j++)
			weights[j] /= sum;

		/* 4. Mix the value rows by these weights. */
		for (size_t c = 0; c < d_v; c++) {
			output[i][c] = 0;
			for (size_t j = 0; j < n; j++)
				output[i][c] += weights[j] * V[j][c];
		}
	}
}
