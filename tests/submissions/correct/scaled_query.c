// expect: PASS
// Scales the query with pow() before the dot products, and takes the softmax
// by its logarithm.
#include <math.h>

static double log_sum_exp(size_t n, const double x[n])
{
    double max = x[0], sum = 0;

    for (size_t j = 1; j < n; j++)
        max = fmax(max, x[j]);
    for (size_t j = 0; j < n; j++)
        sum += exp(x[j] - max);
    return max + log(sum);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double q[d], s[Tk];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;

        for (size_t c = 0; c < d; c++)
            q[c] = Q[i][c] * pow(d, -0.5);
        for (size_t j = 0; j < n; j++) {
            s[j] = 0;
            for (size_t c = 0; c < d; c++)
                s[j] = fma(q[c], K[j][c], s[j]);
        }
        double lse = log_sum_exp(n, s);
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += exp(s[j] - lse) * V[j][c];
        }
    }
}
