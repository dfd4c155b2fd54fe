// expect: WRONG_ANSWER fails=above,below,rows,spike,deep,ramp passes=examples,gentle,causal,sizes,full,again names=shift-none
// No maximum is subtracted.
#include <math.h>

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
            w[j] = exp(w[j]);
            sum += w[j];
        }
        for (size_t j = 0; j < n; j++)
            w[j] /= sum;

        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += w[j] * V[j][c];
        }
    }
}
