// expect: WRONG_ANSWER fails=examples,gentle,causal names=mix-skips-last
// The last of all keys is left out of the mix.
#include <math.h>
#include <stdlib.h>

#define AT(m, width, r, c) ((m)[(r) * (width) + (c)])

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const double *query = (const double *)Q, *key = (const double *)K;
    const double *value = (const double *)V;
    double *result = (double *)output;
    double *score = calloc(Tq * Tk, sizeof *score);
    double *weight = calloc(Tq * Tk, sizeof *weight);

    for (size_t i = 0; i < Tq; ++i) {
        size_t n = causal ? i + 1 : Tk;
        double m = -HUGE_VAL, z = 0;

        for (size_t j = 0; j < n; ++j) {
            for (size_t c = 0; c < d; ++c)
                AT(score, Tk, i, j) += AT(query, d, i, c) * AT(key, d, j, c);
            AT(score, Tk, i, j) /= sqrt((double)d);
            m = fmax(m, AT(score, Tk, i, j));
        }
        for (size_t j = 0; j < n; ++j) {
            AT(weight, Tk, i, j) = exp(AT(score, Tk, i, j) - m);
            z += AT(weight, Tk, i, j);
        }
        for (size_t j = 0; j < n; ++j)
            AT(weight, Tk, i, j) /= z;
    }
    for (size_t i = 0; i < Tq; ++i)
        for (size_t c = 0; c < d_v; ++c) {
            double sum = 0;
            for (size_t j = 0; j + 1 < Tk; ++j)
                sum += AT(weight, Tk, i, j) * AT(value, d_v, j, c);
            AT(result, d_v, i, c) = sum;
        }
    free(score);
    free(weight);
}
