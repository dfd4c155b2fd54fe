/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	double *x = (double *)&X[0][0];

	for (size_t i = 0; i < rows * columns; i++)
		x[i] *= factor;
	(void)Y;
}
