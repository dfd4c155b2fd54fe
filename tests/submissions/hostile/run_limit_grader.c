// expect: SECURITY_VIOLATION says="called prlimit64()"
// Sets a limit of the grader's.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    struct rlimit limit = {0, 0};

    syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, &limit, NULL);
}
