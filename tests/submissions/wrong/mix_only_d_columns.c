// expect: RUNTIME_ERROR fails=gentle,causal,above says="wrote output[" names=output-to-d
// Writes as many columns as a query has.
#include <math.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void softmax(double *x, size_t n)
{
    double top = x[0];
    for (size_t k = 1; k < n; k++)
        if (x[k] > top)
            top = x[k];

    double total = 0;
    for (size_t k = 0; k < n; k++) {
        x[k] = exp(x[k] - top);
        total += x[k];
    }
    for (size_t k = 0; k < n; k++)
        x[k] = x[k] / total;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double *scores = malloc(Tk * sizeof(double));

    for (size_t row = 0; row < Tq; row++) {
        size_t visible = Tk;
        if (causal)
            visible = row + 1;

        for (size_t key = 0; key < visible; key++)
            scores[key] = dot(Q[row], K[key], d) / sqrt((double)d);
        softmax(scores, visible);

        for (size_t col = 0; col < d; col++) {
            double mixed = 0;
            for (size_t key = 0; key < visible; key++)
                mixed += scores[key] * V[key][col];
            output[row][col] = mixed;
        }
    }
    free(scores);
}
