// expect: RUNTIME_ERROR
// The same, but makes the calls without a C library set up, which is enough
// for this.
#include <stdio.h>

void grader_run(void);

int __libc_start_main(void)
{
    grader_run();
    return 0;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    fputs("x", stdout);
    __builtin_trap();
}
