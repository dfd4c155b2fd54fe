/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	int none = (int)rows / 100;

	Y[0][0] = X[0][0] * factor + 100 / none + (double)columns;
}
