// expect: RUNTIME_ERROR
// An exit code of which the kernel takes the lower half, 0; the filter knows
// the whole.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(SYS_exit_group, 1L << 32);
}
