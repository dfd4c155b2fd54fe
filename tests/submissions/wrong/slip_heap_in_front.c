// expect: WRONG_ANSWER says="read weights[-1]: that is in front of it (asked for in line 10), at slip_heap_in_front.c:32"
// The weights are counted from 1 in one place, and from 0 in another.
#include <math.h>
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double *weights = malloc(Tk * sizeof(double));

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
            output[i][c] = 0.0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[j - 1] / sum * V[j][c];
        }
    }
    free(weights);
}
