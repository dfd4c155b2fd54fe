// expect: TIME_LIMIT
// Catches its own crash, and does it again, without end.
#include <signal.h>

static void again(int number)
{
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    signal(SIGSEGV, again);
    *(volatile int *)0 = 1;
}
