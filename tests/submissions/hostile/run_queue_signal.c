// expect: SECURITY_VIOLATION
// A signal with a forged sender.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    siginfo_t info = {.si_code = SI_QUEUE};

    syscall(SYS_rt_sigqueueinfo, getppid(), SIGTERM, &info);
}
