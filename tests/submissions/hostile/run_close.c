// expect: SECURITY_VIOLATION says="called close()"
// Closes what the grader gave it.
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (int fd = 0; fd < 64; fd++)
        close(fd);
}
