// expect: WRONG_ANSWER says="read memory in front of Q[0], at slip_query_in_front.c:20"
// Counts rows from 1 in a flat array, and numbers from 0.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const double *q = &Q[0][0];
    double weights[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY, sum = 0;

        for (size_t j = 0; j < n; j++) {
            double dot = 0;

            for (size_t c = 0; c < d; c++)
                dot += q[i * d + c - 1] * K[j][c];
            weights[j] = dot / sqrt(d);
            max = fmax(max, weights[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += weights[j] = exp(weights[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[j] / sum * V[j][c];
        }
    }
}
