// expect: PASS
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const double *q = &Q[0][0];
    const double *k = &K[0][0];
    const double *v = &V[0][0];
    double *out = &output[0][0];
    double s[64];
    double scale = 1.0 / sqrt((double)d);

    for (size_t i = 0; i < Tq; i++, q += d, out += d_v) {
        size_t n = causal ? i + 1 : Tk;
        double top;
        double total = 0;

        for (size_t j = 0; j < n; j++) {
            const double *kj = k + j * d;
            s[j] = 0;
            for (size_t c = 0; c < d; c++)
                s[j] += *(q + c) * *(kj + c);
            s[j] *= scale;
        }
        top = s[0];
        for (size_t j = 1; j < n; j++)
            top = s[j] > top ? s[j] : top;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j < n; j++) {
            double e = exp(s[j] - top);
            total += e;
            for (size_t c = 0; c < d_v; c++)
                out[c] += e * v[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            out[c] /= total;
    }
}
