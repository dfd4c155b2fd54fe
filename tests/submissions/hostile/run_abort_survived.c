// expect: WRONG_ANSWER
// Catches its own abort() and goes on.
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf place;

static void back(int number)
{
    siglongjmp(place, 1);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    signal(SIGABRT, back);
    if (sigsetjmp(place, 1) == 0)
        abort();
}
