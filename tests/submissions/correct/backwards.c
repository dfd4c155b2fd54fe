// expect: PASS
// Counts down, with ints and a goto; generic maths; notes on stderr.
#include <stdio.h>
#include <tgmath.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    int i = (int)Tq - 1;
    double w[64];

next:;
    int n = causal ? i + 1 : (int)Tk;
    double max = -INFINITY, sum = 0;

    for (int j = n - 1; j >= 0; j--) {
        w[j] = 0;
        for (int c = (int)d - 1; c >= 0; c--)
            w[j] += K[j][c] * Q[i][c];
        w[j] /= sqrt((double)d);
        if (!(w[j] <= max))
            max = w[j];
    }
    for (int j = n - 1; j >= 0; j--)
        sum += w[j] = exp(w[j] - max);
    for (int c = (int)d_v - 1; c >= 0; c--) {
        double x = 0;
        for (int j = n - 1; j >= 0; j--)
            x += V[j][c] * w[j];
        output[i][c] = x / sum;
    }
    fprintf(stderr, "row %d: %d keys\n", i, n);
    if (--i >= 0)
        goto next;
}
