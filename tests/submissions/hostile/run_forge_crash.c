// expect: WRONG_ANSWER not="divided"
// Reports a crash that there was none of.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    syscall(9001, 8L | 1L << 32, output, solve, output, 2, 16);
}
