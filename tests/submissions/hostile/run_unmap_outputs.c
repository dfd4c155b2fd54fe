// expect: RUNTIME_ERROR
// Takes away the memory that the answer would have been in.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    munmap((void *)((size_t)output & -4096), 4096);
}
