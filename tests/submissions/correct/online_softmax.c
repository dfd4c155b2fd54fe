// expect: PASS
// One pass over the keys: the sum and the mix are rescaled when a larger score
// comes along.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double largest = -INFINITY;
        double sum = 0;
        double mix[d_v];

        for (size_t c = 0; c < d_v; c++)
            mix[c] = 0;
        for (size_t j = 0; j < n; j++) {
            double score = 0;
            for (size_t c = 0; c < d; c++)
                score += Q[i][c] * K[j][c];
            score /= sqrt(d);

            double before = largest;
            largest = fmax(largest, score);
            double rescale = exp(before - largest);
            double weight = exp(score - largest);

            sum = sum * rescale + weight;
            for (size_t c = 0; c < d_v; c++)
                mix[c] = mix[c] * rescale + weight * V[j][c];
        }
        for (size_t c = 0; c < d_v; c++)
            output[i][c] = mix[c] / sum;
    }
}
