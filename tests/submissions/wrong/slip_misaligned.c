// expect: RUNTIME_ERROR says="used K with a type that can only start at every 16th byte, at slip_misaligned.c:23"
// Two numbers at a time, from where no pair has to start.
#include <math.h>

typedef double pair __attribute__((vector_size(16)));

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double weights[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY;
        double sum = 0.0;

        for (size_t j = 0; j < n; j++) {
            pair both = {0, 0};
            double dot;

            for (size_t c = 0; c + 1 < d; c += 2)
                both += *(const pair *)&Q[i][c] * *(const pair *)&K[j][c];
            dot = both[0] + both[1];
            if (d % 2)
                dot += Q[i][d - 1] * K[j][d - 1];
            weights[j] = dot / sqrt(d);
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
