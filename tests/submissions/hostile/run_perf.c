// expect: SECURITY_VIOLATION says="called perf_event_open()"
// The kernel's counters.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(SYS_perf_event_open, 0, 0, -1, -1, 0);
}
