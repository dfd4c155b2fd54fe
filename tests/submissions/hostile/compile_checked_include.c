// expect: WRONG_ANSWER
// Includes itself without end, in the build with checks alone.
#ifndef __OPTIMIZE__
#include __FILE__
#include __FILE__
#endif

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
