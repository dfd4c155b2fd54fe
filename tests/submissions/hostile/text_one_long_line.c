// expect: WRONG_ANSWER
// Half a megabyte without a line break.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (int i = 0; i < 5000; i++)
        putchar('x');
}
