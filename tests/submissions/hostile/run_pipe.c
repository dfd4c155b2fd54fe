// expect: SECURITY_VIOLATION says="called pipe()"
// A way to wait for nothing.
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    int ends[2];
    char byte;

    pipe2(ends, 0);
    read(ends[0], &byte, 1);
}
