// expect: RUNTIME_ERROR
// Takes the place of the C library's start, and ends.
#include <stdlib.h>

int __libc_start_main(void)
{
    _Exit(0);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
