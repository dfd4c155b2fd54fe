// expect: PASS
#include <math.h>
#include <string.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double s[Tq][Tk];

    memset(output, 0, sizeof(double[Tq][d_v]));
    memset(s, 0, sizeof(s));
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double *row = s[i], max, sum = 0;

        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                row[j] += Q[i][c] * K[j][c] / sqrt(d);
        max = row[0];
        for (size_t j = 0; j < n; j++)
            if (row[j] > max)
                max = row[j];
        for (size_t j = 0; j < n; j++)
            sum += row[j] = exp(row[j] - max);
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d_v; c++)
                output[i][c] += row[j] * V[j][c] / sum;
    }
}
