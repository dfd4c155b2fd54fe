// expect: PASS
#include <math.h>

static double maximum(const double *x, size_t n)
{
    if (n == 1)
        return x[0];
    double rest = maximum(x + 1, n - 1);
    return x[0] > rest ? x[0] : rest;
}

static double add_up(const double *x, size_t n)
{
    if (n == 1)
        return *x;
    return add_up(x, n / 2) + add_up(x + n / 2, n - n / 2);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double s[n];

        for (size_t j = 0; j < n; j++) {
            double products[d];
            for (size_t c = 0; c < d; c++)
                products[c] = Q[i][c] * K[j][c];
            s[j] = add_up(products, d) / sqrt(d);
        }
        double m = maximum(s, n);
        for (size_t j = 0; j < n; j++)
            s[j] = exp(s[j] - m);
        double z = add_up(s, n);
        for (size_t c = 0; c < d_v; c++) {
            double terms[n];
            for (size_t j = 0; j < n; j++)
                terms[j] = s[j] / z * V[j][c];
            output[i][c] = add_up(terms, n);
        }
    }
}
