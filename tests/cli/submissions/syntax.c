/* SPDX-License-Identifier: MIT */
#include <stddef.h>
/* clang-format off */
void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	for (size_t i = 0; i < rows; i++)
		Y[i][0] = factor * X[i][0]
	int unused = columns;
}
