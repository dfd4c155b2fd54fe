// expect: SECURITY_VIOLATION says="called open()"
// A file.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    FILE *file = fopen("/etc/passwd", "r");
    char line[80];

    if (file && fgets(line, sizeof(line), file))
        puts(line);
}
