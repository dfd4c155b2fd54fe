// expect: SECURITY_VIOLATION says="called modify_ldt()"
// Segments of its own.
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char entry[16] = {0};

    syscall(SYS_modify_ldt, 1, entry, sizeof(entry));
}
