// expect: RUNTIME_ERROR fails=gentle,causal says="read K[" names=mask-one-more
// One key too many.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const double *q = &Q[0][0], *k = &K[0][0], *v = &V[0][0];
    double *out = &output[0][0];
    double e[Tk];
    double scale = 1.0 / sqrt(d);

    for (size_t t = 0; t < Tq; t++) {
        size_t n = causal ? t + 2 : Tk;
        double mx = -1e300, z = 0;

        for (size_t s = 0; s < n; s++) {
            double a = 0;
            for (size_t c = 0; c < d; c++)
                a += q[t * d + c] * k[s * d + c];
            e[s] = a * scale;
            mx = e[s] > mx ? e[s] : mx;
        }
        for (size_t s = 0; s < n; s++)
            z += e[s] = exp(e[s] - mx);
        for (size_t c = 0; c < d_v; c++) {
            double y = 0;
            for (size_t s = 0; s < n; s++)
                y += e[s] * v[s * d_v + c];
            out[t * d_v + c] = y / z;
        }
    }
}
