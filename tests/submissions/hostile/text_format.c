// expect: WRONG_ANSWER
// Conversions, for a report that were to use text as a format.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    puts("%s%s%s%s%n%n%n%999999999d {0} ${x} $(id) `id`");
}
