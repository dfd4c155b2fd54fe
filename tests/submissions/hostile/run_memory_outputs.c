// expect: WRONG_ANSWER
// Maps the outputs again and again, for the kernel's tables to fill.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (int i = 0; i < 100000; i++)
        if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, 4, 0) == MAP_FAILED)
            return;
}
