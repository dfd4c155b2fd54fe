// expect: PASS
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const long double root = sqrtl(d);

    for (size_t i = 0; i < Tq; i++) {
        long double w[64], largest = -INFINITY, total = 0.0L;
        const size_t visible = causal ? i + 1 : Tk;

        for (size_t j = 0; j < visible; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d; c++)
                w[j] += (long double)Q[i][c] * K[j][c];
            w[j] /= root;
            largest = fmaxl(largest, w[j]);
        }
        for (size_t j = 0; j < visible; j++)
            total += w[j] = expl(w[j] - largest);
        for (size_t c = 0; c < d_v; c++) {
            long double sum = 0;
            for (size_t j = 0; j < visible; j++)
                sum += w[j] * V[j][c];
            output[i][c] = sum / total;
        }
    }
}
