/* SPDX-License-Identifier: MIT */
#include <stddef.h>

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			Y[i][j] += X[i][j] * factor;
}
