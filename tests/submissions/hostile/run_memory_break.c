// expect: WRONG_ANSWER
// Moves the end of its data.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    long end = syscall(SYS_brk, 0);

    for (int i = 0; i < 1000; i++)
        syscall(SYS_brk, end += 1 << 20);
    if (syscall(SYS_brk, 0) == end)
        output[0][0] = 4;
}
