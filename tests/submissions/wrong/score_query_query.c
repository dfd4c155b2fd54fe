// expect: RUNTIME_ERROR fails=gentle,causal,sizes says="read Q[" names=score-query-query
// Queries against queries.
#include <math.h>

static double S[64][64]; // scores
static double P[64][64]; // weights

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    // 1. scores
    for (int i = 0; i < Tq; i++)
        for (int j = 0; j < Tk; j++) {
            S[i][j] = 0;
            for (int k = 0; k < d; k++)
                S[i][j] += Q[i][k] * Q[j][k];
            S[i][j] = S[i][j] / sqrt(d);
        }

    // 2. mask
    if (causal)
        for (int i = 0; i < Tq; i++)
            for (int j = 0; j < Tk; j++)
                if (j > i)
                    S[i][j] = -INFINITY;

    // 3. softmax
    for (int i = 0; i < Tq; i++) {
        double m = -INFINITY;
        double s = 0;
        for (int j = 0; j < Tk; j++)
            m = fmax(m, S[i][j]);
        for (int j = 0; j < Tk; j++) {
            P[i][j] = exp(S[i][j] - m);
            s += P[i][j];
        }
        for (int j = 0; j < Tk; j++)
            P[i][j] /= s;
    }

    // 4. output
    for (int i = 0; i < Tq; i++)
        for (int k = 0; k < d_v; k++) {
            output[i][k] = 0;
            for (int j = 0; j < Tk; j++)
                output[i][k] += P[i][j] * V[j][k];
        }
}
