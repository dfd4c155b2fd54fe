// expect: TIME_LIMIT
// Has the grader compute for it: each of these is put to it.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    for (;;)
        mmap(NULL, 1L << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
