// expect: SECURITY_VIOLATION says="called open()"
// The memory of the grader.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char path[64];

    sprintf(path, "/proc/%d/mem", getppid());
    open(path, O_RDWR);
}
