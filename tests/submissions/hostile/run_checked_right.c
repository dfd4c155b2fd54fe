// expect: WRONG_ANSWER not="PASS"
// Is right in the build with checks alone.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double weights[64], max = -INFINITY, sum = 0;

        for (size_t j = 0; j < n; j++) {
            weights[j] = 0;
            for (size_t c = 0; c < d; c++)
                weights[j] += Q[i][c] * K[j][c] / sqrt(d);
            max = fmax(max, weights[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += weights[j] = exp(weights[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[j] / sum * V[j][c];
        }
    }
#endif
}
