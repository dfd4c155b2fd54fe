// expect: RUNTIME_ERROR not="divided"
// Reports one crash and dies of another.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(9001, 8L | 1L << 32, output, solve, output, 2, 16);
    __builtin_trap();
}
