// expect: PASS
// Never frees what it allocates: 100 calls fit into memory.
#include <math.h>
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double *w = calloc(Tk, sizeof(double));

    w = realloc(w, (Tk + 1) * sizeof(double));
    for (size_t i = 0; i < Tq; i++) {
        w[Tk] = -INFINITY;
        for (size_t j = 0; j < Tk; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d; c++)
                w[j] += Q[i][c] * K[j][c];
            w[j] /= sqrt(d);
            if (causal && j == i)
                break;
        }
        size_t n = causal ? i + 1 : Tk;
        for (size_t j = 0; j < n; j++)
            if (w[j] > w[Tk])
                w[Tk] = w[j];
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += w[j] = exp(w[j] - w[Tk]);
        for (size_t c = 0; c < d_v; c++) {
            double mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += w[j] * V[j][c];
            output[i][c] = mix / sum;
        }
    }
}
