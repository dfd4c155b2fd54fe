// expect: SECURITY_VIOLATION
// Calls with short pointers, by numbers of their own.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(0x40000000 + SYS_getpid);
}
