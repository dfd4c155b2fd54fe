// expect: WRONG_ANSWER
// The functions in front of malloc(), in a second version.
#include <stdlib.h>

static double block;

void *__wrap_malloc(size_t size)
{
    return &block;
}

void __wrap_free(void *at)
{
    _Exit(0);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    output[0][0] = *(double *)malloc(8);
}
