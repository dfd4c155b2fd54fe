// expect: SECURITY_VIOLATION says="called madvise()"
// Makes a hole in memory that the grader looks at.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    madvise((void *)((size_t)output & -4096), 4096, MADV_REMOVE);
}
