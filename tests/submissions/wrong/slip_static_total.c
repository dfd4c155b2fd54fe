// expect: WRONG_ANSWER says="total keeps its value from call to call, at slip_static_total.c:14"
// The total of the weights lives on.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double weights[64];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY;
        static double total;

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
            total += weights[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0.0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[j] / total * V[j][c];
        }
    }
}
