// expect: RUNTIME_ERROR says="wrote K[0]: K is an input, at slip_scales_keys.c:20"
// The keys are scaled where they are.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double (*scaled)[d] = (double (*)[d])K;
    double weights[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY;
        double sum = 0.0;

        for (size_t j = 0; j < n; j++) {
            double dot = 0.0;
            for (size_t c = 0; c < d; c++)
                dot += Q[i][c] * (scaled[j][c] /= sqrt(d));
            weights[j] = dot;
            if (weights[j] > max)
                max = weights[j];
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = exp(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0.0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[j] / sum * V[j][c];
        }
    }
}
