// expect: WRONG_ANSWER not="PATH="
// Prints the environment and what else the kernel hands to a program.
#include <stdio.h>
#include <sys/auxv.h>

extern char **environ;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (char **e = environ; *e; e++)
        puts(*e);
    puts((const char *)getauxval(AT_EXECFN));
}
