// expect: TIME_LIMIT
// Has the kernel compute for it.
#include <sys/random.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    static char bytes[16 << 20];

    for (;;)
        getrandom(bytes, sizeof(bytes), 0);
}
