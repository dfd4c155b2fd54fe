// expect: SECURITY_VIOLATION
// Waits, which costs nothing but the patience of others.
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    sleep(100000);
}
