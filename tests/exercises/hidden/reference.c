/* SPDX-License-Identifier: MIT */
#include "exercise.h"

#include <stddef.h>

/* Doubling is exact, in whatever way it is done. */
void reference_twice(
	size_t n, const double x[n], double y[n], double y_tolerance[n])
{
	for (size_t i = 0; i < n; i++) {
		y[i] = x[i] + x[i];
		y_tolerance[i] = 0;
	}
}
