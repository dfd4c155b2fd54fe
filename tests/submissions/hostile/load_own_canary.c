// expect: RUNTIME_ERROR
// Stands in for what ends a program whose stack was overwritten, and goes on.
#include <string.h>

void __stack_chk_fail(void)
{
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char small[8];

    memset(small, 0, 64 + Tq);
    __asm__ volatile("" : : "r"(small) : "memory");
}
