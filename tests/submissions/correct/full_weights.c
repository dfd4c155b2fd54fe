// expect: PASS
// First the whole matrix of weights, then one matrix product.
#include <math.h>
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double(*weights)[Tk] = malloc(sizeof(double[Tq][Tk]));
    double(*keys)[Tk] = malloc(sizeof(double[d][Tk])); /* transposed */

    if (!weights || !keys)
        abort();
    for (size_t j = 0; j < Tk; j++)
        for (size_t c = 0; c < d; c++)
            keys[c][j] = K[j][c];
    for (size_t i = 0; i < Tq; i++)
        for (size_t j = 0; j < Tk; j++) {
            double sum = 0;
            for (size_t c = 0; c < d; c++)
                sum += Q[i][c] * keys[c][j];
            weights[i][j] = sum / sqrt(d);
        }
    if (causal)
        for (size_t i = 0; i < Tq; i++)
            for (size_t j = i + 1; j < Tk; j++)
                weights[i][j] = -INFINITY;
    for (size_t i = 0; i < Tq; i++) {
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < Tk; j++)
            max = fmax(max, weights[i][j]);
        for (size_t j = 0; j < Tk; j++)
            sum += exp(weights[i][j] - max);
        for (size_t j = 0; j < Tk; j++)
            weights[i][j] = exp(weights[i][j] - max) / sum;
    }
    for (size_t i = 0; i < Tq; i++)
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < Tk; j++)
                output[i][c] += weights[i][j] * V[j][c];
        }
    free(keys);
    free(weights);
}
