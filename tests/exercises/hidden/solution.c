/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void twice(size_t n, const double x[n], double y[n])
{
	for (size_t i = 0; i < n; i++)
		y[i] = 2 * x[i];
}
