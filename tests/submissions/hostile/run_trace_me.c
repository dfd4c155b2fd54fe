// expect: SECURITY_VIOLATION says="called ptrace()"
// Lets the grader be its tracer, who is then asked at each signal.
#include <sys/ptrace.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    ptrace(PTRACE_TRACEME, 0, 0, 0);
}
