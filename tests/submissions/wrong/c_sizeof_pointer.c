// expect: WRONG_ANSWER fails=full,sizes
// sizeof of a parameter is the size of a pointer.
#include <math.h>
#include <string.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double w[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;

        double max = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            double dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += Q[i][c] * K[j][c];
            w[j] = dot / sqrt(d);
            if (w[j] > max)
                max = w[j];
        }

        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = exp(w[j] - max);
            sum += w[j];
        }
        for (size_t j = 0; j < n; j++)
            w[j] /= sum;

        for (size_t c = 0; c < d_v; c++) {
            double x = 0;
            for (size_t j = 0; j < n; j++)
                x += w[j] * V[j][c];
            memcpy(&output[i][c], &x, sizeof(output) / 2);
        }
    }
}
