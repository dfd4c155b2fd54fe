// expect: SECURITY_VIOLATION says="called setitimer()"
// Has itself woken up.
#include <sys/time.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    struct itimerval when = {{0, 1000}, {0, 1000}};

    setitimer(ITIMER_REAL, &when, NULL);
}
