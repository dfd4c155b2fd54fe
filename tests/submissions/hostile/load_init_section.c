// expect: WRONG_ANSWER
// Code for the section that the C library begins with, which is taken
// elsewhere.
#include <unistd.h>

void reach(void)
{
    fork();
}

__asm__(".section .init, \"ax\"\n"
        "call reach\n"
        ".text");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
