// expect: PASS
// Blocked keys get the score -INFINITY, and exp(-INFINITY) is 0.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double score[Tk];

    for (size_t i = 0; i < Tq; i++) {
        for (size_t j = 0; j < Tk; j++) {
            double dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += Q[i][c] * K[j][c];
            score[j] = dot / sqrt(d);
            if (causal && j > i)
                score[j] = -INFINITY;
        }

        double max = score[0];
        for (size_t j = 1; j < Tk; j++)
            if (score[j] > max)
                max = score[j];

        double sum = 0;
        for (size_t j = 0; j < Tk; j++) {
            score[j] = exp(score[j] - max);
            sum += score[j];
        }

        for (size_t c = 0; c < d_v; c++) {
            double value = 0;
            for (size_t j = 0; j < Tk; j++)
                value += score[j] / sum * V[j][c];
            output[i][c] = value;
        }
    }
}
