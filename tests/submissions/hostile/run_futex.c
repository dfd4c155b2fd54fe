// expect: SECURITY_VIOLATION says="called futex()"
// Waits for a word to change.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    static int word;

    syscall(SYS_futex, &word, 0, 0, 0, 0, 0);
}
