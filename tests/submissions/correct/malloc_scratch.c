// expect: PASS
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double *scores = malloc(Tk * sizeof *scores);
    double **weights = calloc(Tq, sizeof *weights);

    if (scores == NULL || weights == NULL) {
        perror("solve");
        exit(1);
    }
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -HUGE_VAL;
        double sum = 0;

        weights[i] = malloc(n * sizeof **weights);
        for (size_t j = 0; j < n; j++) {
            scores[j] = 0;
            for (size_t c = 0; c < d; c++)
                scores[j] += Q[i][c] * K[j][c];
            scores[j] /= sqrt((double)d);
            if (scores[j] > max)
                max = scores[j];
        }
        for (size_t j = 0; j < n; j++) {
            weights[i][j] = exp(scores[j] - max);
            sum += weights[i][j];
        }
        for (size_t j = 0; j < n; j++)
            weights[i][j] /= sum;
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += weights[i][j] * V[j][c];
        }
    }
    for (size_t i = 0; i < Tq; i++)
        free(weights[i]);
    free(weights);
    free(scores);
}
