// expect: COMPILE_ERROR
// Another word for including.
#include_next "@CANARY@"
#import "@CANARY@"

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
