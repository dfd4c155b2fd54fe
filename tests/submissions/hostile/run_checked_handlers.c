// expect: WRONG_ANSWER
// Catches what the build with checks raises, and goes on from there.
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf again;

static void on_signal(int number)
{
    siglongjmp(again, number);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    double unset, weights[2];

    signal(SIGFPE, on_signal);
    signal(SIGSEGV, on_signal);
    signal(SIGILL, on_signal);
    sigsetjmp(again, 1);
    weights[Tq + d] = unset + output[Tq][0];
    for (;;)
        raise(SIGFPE);
#endif
}
