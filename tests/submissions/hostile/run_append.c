// expect: SECURITY_VIOLATION says="called fcntl()"
// Would write over what was printed.
#include <fcntl.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    fcntl(1, F_SETFL, 0);
}
