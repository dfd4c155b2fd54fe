// expect: RUNTIME_ERROR
// A function that is called before the first call.
#include <stdio.h>
#include <stdlib.h>

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    _Exit(0);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
