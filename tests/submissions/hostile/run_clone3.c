// expect: SECURITY_VIOLATION says="called clone3()"
// The newer call for it.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char arguments[88] = {0};

    syscall(435, arguments, sizeof(arguments));
}
