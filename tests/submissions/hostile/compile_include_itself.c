// expect: COMPILE_ERROR
// Doubles with each level, to 200 of them: what there is to say about it never
// ends.
#include __FILE__
#include __FILE__

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
