/* SPDX-License-Identifier: MIT */
#include <stddef.h>

static double down(double x)
{
	volatile double here[64] = {x};

	return x > 0 ? down(x + 1) + here[0] : here[1];
}

void scale(size_t rows, size_t columns, const double X[rows][columns],
	double factor, double Y[rows][columns])
{
	Y[0][0] = down(factor * factor) + X[0][0] + (double)columns;
}
