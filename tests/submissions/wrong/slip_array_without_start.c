// expect: WRONG_ANSWER says="mixed[0] was used before it was set, at slip_array_without_start.c:30"
// What is mixed is gathered in an array that is never cleared.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double weights[64], mixed[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY;
        double sum = 0.0;

        for (size_t j = 0; j < n; j++) {
            double dot = 0.0;
            for (size_t c = 0; c < d; c++)
                dot += Q[i][c] * K[j][c];
            weights[j] = dot / sqrt(d);
            if (weights[j] > max)
                max = weights[j];
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = exp(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            for (size_t j = 0; j < n; j++)
                mixed[c] += weights[j] / sum * V[j][c];
            output[i][c] = mixed[c];
        }
    }
}
