// expect: RUNTIME_ERROR fails=examples,gentle,causal names=score-key-columns
// K[c][j] in place of K[j][c], in a function that thinks it has columns.
#include <math.h>

static void score_row(size_t n, size_t d, const double q[d],
                      const double *K, double s[n])
{
    for (size_t j = 0; j < n; j++) {
        s[j] = 0;
        for (size_t c = 0; c < d; c++)
            s[j] += q[c] * K[c * d + j];
        s[j] /= sqrt(d);
    }
}

static void softmax_row(size_t n, double s[n])
{
    double high = s[0], total = 0;
    for (size_t j = 1; j < n; j++)
        high = fmax(high, s[j]);
    for (size_t j = 0; j < n; j++)
        total += s[j] = exp(s[j] - high);
    for (size_t j = 0; j < n; j++)
        s[j] /= total;
}

static void mix_row(size_t n, size_t d_v, const double w[n],
                    const double V[n][d_v], double y[d_v])
{
    for (size_t c = 0; c < d_v; c++)
        y[c] = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < d_v; c++)
            y[c] += w[j] * V[j][c];
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double row[Tk];

        score_row(n, d, Q[i], K[0], row);
        softmax_row(n, row);
        mix_row(n, d_v, row, V, output[i]);
    }
}
