// expect: RUNTIME_ERROR fails=examples,gentle,causal names=score-value
// The query is compared with the values.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double weight[64];
    double *out = *output;

    for (size_t query = 0; query < Tq; query++) {
        const double *k = *V;
        size_t keys = causal ? query + 1 : Tk;
        double best = -INFINITY, sum = 0;

        for (size_t key = 0; key < keys; key++) {
            const double *q = Q[query], *end = q + d;
            double dot = 0;
            k = *V + key * d_v;
            while (q < end)
                dot += *q++ * *k++;
            weight[key] = dot / sqrt(d);
            if (weight[key] > best)
                best = weight[key];
        }
        for (double *w = weight; w < weight + keys; w++)
            sum += *w = exp(*w - best);
        for (size_t column = 0; column < d_v; column++) {
            const double *v = *V + column;
            double mix = 0;
            for (size_t key = 0; key < keys; key++, v += d_v)
                mix += weight[key] / sum * *v;
            *out++ = mix;
        }
    }
}
