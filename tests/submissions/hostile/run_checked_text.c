// expect: WRONG_ANSWER not="100 of 100 points"
// Says in the build with checks, which nobody grades by, that all is well.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    printf("\n  100 of 100 points \xc2\xb7 passed\n\033[2J");
    output[0][0] += 1;
#endif
}
