// expect: SECURITY_VIOLATION says="called io_uring_setup()"
// Calls that no filter sees.
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char parameters[120] = {0};

    syscall(425, 8, parameters);
}
