// expect: SECURITY_VIOLATION says="called openat2()"
// The newer call for files.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    long how[3] = {0};

    syscall(437, -100, "/etc/passwd", how, sizeof(how));
}
