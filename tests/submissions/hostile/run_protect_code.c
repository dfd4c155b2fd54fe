// expect: SECURITY_VIOLATION says="called mprotect()"
// Its own code, to be written to.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    mprotect((void *)((size_t)&solve & -4096), 4096, 7);
}
