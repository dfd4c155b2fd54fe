// expect: RUNTIME_ERROR
// Takes the stack away that the crash report is made on.
#include <signal.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    stack_t none = {.ss_flags = SS_DISABLE};

    sigaltstack(&none, NULL);
    *(volatile int *)0 = 1;
}
