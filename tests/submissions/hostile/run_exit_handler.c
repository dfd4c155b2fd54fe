// expect: RUNTIME_ERROR
// Writes outputs at the end.
#include <stdlib.h>

static double *late;

static void write_late(void)
{
    *late = 4;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    late = output[0];
    atexit(write_late);
    exit(0);
}
