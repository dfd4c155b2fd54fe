// expect: RUNTIME_ERROR
// Takes its own memory away, the runner's included.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    munmap((void *)0x10000, 1L << 46);
}
