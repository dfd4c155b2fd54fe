// expect: MEMORY_LIMIT or=RUNTIME_ERROR
// The same, in pieces that nobody asks about.
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    for (;;)
        *(volatile char *)malloc(100) = 1;
}
