// expect: WRONG_ANSWER
// Text with NULs in it.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    fwrite("a\0b\0\0c", 1, 6, stdout);
}
