// expect: RUNTIME_ERROR says="divided 100 by zero (whole numbers, / or %), at slip_divides_by_zero.c:20"
// Shares a whole among the keys in front, of which the first has none.
#include <math.h>

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
            double dot = 0.0;
            for (size_t c = 0; c < d; c++)
                dot += Q[i][c] * K[j][c];
            int share = 100 / (int)j;
            weights[j] = share + dot / sqrt(d);
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
