/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	volatile char *much = malloc(1 << 30);

	for (size_t i = 0; i < 1 << 30; i += 4096)
		much[i] = 1;
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			Y[i][j] = X[i][j] * factor;
	free((void *)much);
}
