// expect: PASS
#include <math.h>

#define MAX 64

static double scores[MAX][MAX];
static double weights[MAX][MAX];

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; ++i)
        for (size_t j = 0; j < Tk; ++j) {
            scores[i][j] = 0;
            for (size_t c = 0; c < d; ++c)
                scores[i][j] += Q[i][c] * K[j][c];
            scores[i][j] /= sqrt(d);
        }

    for (size_t i = 0; i < Tq; ++i) {
        size_t last = causal ? i : Tk - 1;
        double m = scores[i][0], z = 0;

        for (size_t j = 0; j <= last; ++j)
            m = fmax(m, scores[i][j]);
        for (size_t j = 0; j < Tk; ++j) {
            weights[i][j] = j <= last ? exp(scores[i][j] - m) : 0;
            z += weights[i][j];
        }
        for (size_t j = 0; j < Tk; ++j)
            weights[i][j] /= z;
    }

    for (size_t i = 0; i < Tq; ++i)
        for (size_t c = 0; c < d_v; ++c) {
            double x = 0;
            for (size_t j = 0; j < Tk; ++j)
                x += weights[i][j] * V[j][c];
            output[i][c] = x;
        }
}
