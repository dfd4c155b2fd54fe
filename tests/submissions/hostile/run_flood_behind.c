// expect: WRONG_ANSWER
// Prints a long way behind the end.
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    lseek(1, 1L << 40, SEEK_SET);
    write(1, "x", 1);
    lseek(1, 0, SEEK_SET);
    write(1, "y", 1);
}
