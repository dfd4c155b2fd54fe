// expect: SECURITY_VIOLATION says="called bpf()"
// A program in the kernel.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(SYS_bpf, 0, 0, 0);
}
