// expect: SECURITY_VIOLATION
// Reports crashes without end: the grader looks into each.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (;;)
        syscall(9001, -1L, -1L, -1L, -1L, -1L, -1L);
}
