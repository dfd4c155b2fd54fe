// expect: SECURITY_VIOLATION says="called sendfile()"
// Prints all inputs at once.
#include <sys/sendfile.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    off_t at = 0;

    sendfile(1, 3, &at, 1 << 20);
}
