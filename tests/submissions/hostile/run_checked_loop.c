// expect: WRONG_ANSWER
// Computes for ever where it is not optimised: in the build with checks.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    for (;;)
        __asm__ volatile("");
#endif
}
