// expect: SECURITY_VIOLATION says="called seccomp()"
// A filter of its own, which kills in its own way.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(SYS_seccomp, 1, 0, 0);
}
