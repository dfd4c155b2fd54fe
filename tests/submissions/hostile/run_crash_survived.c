// expect: WRONG_ANSWER
// Catches its own crash and goes on.
#include <setjmp.h>
#include <signal.h>

static jmp_buf place;

static void back(int number)
{
    longjmp(place, 1);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    signal(SIGSEGV, back);
    if (setjmp(place) == 0)
        *(volatile int *)0 = 1;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}
