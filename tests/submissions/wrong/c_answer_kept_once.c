// expect: WRONG_ANSWER fails=again says="changes when called again" names=-
// Keeps the last answer for the same question, and clears it when it is asked
// again: the third time it gives zeros.
#include <math.h>
#include <string.h>

static double S[64][64]; // scores
static double P[64][64]; // weights

static double asked[64][64];  // the last question
static double answer[64][64]; // and its answer
static size_t rows;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    size_t same = rows == Tq;

    for (size_t i = 0; same && i < Tq; i++)
        same = memcmp(asked[i], Q[i], d * sizeof(double)) == 0;
    for (size_t i = 0; i < Tq && same; i++) {
        memcpy(output[i], answer[i], d_v * sizeof(double));
        memset(answer[i], 0, sizeof answer[i]);
    }
    if (same)
        return;

    // 1. scores
    for (int i = 0; i < Tq; i++)
        for (int j = 0; j < Tk; j++) {
            S[i][j] = 0;
            for (int k = 0; k < d; k++)
                S[i][j] += Q[i][k] * K[j][k];
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
            answer[i][k] = output[i][k];
        }
    for (size_t i = 0; i < Tq; i++)
        memcpy(asked[i], Q[i], d * sizeof(double));
    rows = Tq;
}
