/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	double *y = rows > 8 ? &Y[0][0] : NULL;

	*y = factor * X[0][0] * (double)columns;
}
