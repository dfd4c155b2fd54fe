// expect: WRONG_ANSWER
// Gives the first answer again.
#include <string.h>

static double first[4];
static size_t bytes;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (!bytes) {
        bytes = 32;
        memcpy(first, (double[]){6.69762, 3.30238, 3.30238, 6.69762}, 32);
    }
    for (size_t i = 0; i < Tq * d_v; i++)
        ((double *)output)[i] = first[i % 4];
}
