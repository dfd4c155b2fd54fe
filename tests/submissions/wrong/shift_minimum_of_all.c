// expect: WRONG_ANSWER fails=examples,gentle,causal names=shift-minimum,mask-nan
// The lowest score of a row is -INFINITY where a key is blocked.
#include <math.h>
#include <string.h>

static void multiply(size_t n, size_t k, size_t m, const double A[n][k],
                     const double B[k][m], double C[n][m])
{
    memset(C, 0, n * m * sizeof(double));
    for (size_t r = 0; r < n; r++)
        for (size_t x = 0; x < k; x++)
            for (size_t c = 0; c < m; c++)
                C[r][c] += A[r][x] * B[x][c];
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double KT[d][Tk], W[Tq][Tk];

    for (size_t r = 0; r < Tk; r++)
        for (size_t c = 0; c < d; c++)
            KT[c][r] = K[r][c];
    multiply(Tq, d, Tk, Q, KT, W);

    for (size_t r = 0; r < Tq; r++)
        for (size_t c = 0; c < Tk; c++) {
            W[r][c] /= sqrt(d);
            if (causal && c > r)
                W[r][c] = -INFINITY;
        }

    for (size_t r = 0; r < Tq; r++) {
        double top = W[r][0], sum = 0;
        for (size_t c = 0; c < Tk; c++)
            if (W[r][c] < top)
                top = W[r][c];
        for (size_t c = 0; c < Tk; c++) {
            W[r][c] = exp(W[r][c] - top);
            sum += W[r][c];
        }
        for (size_t c = 0; c < Tk; c++)
            W[r][c] /= sum;
    }

    multiply(Tq, Tk, d_v, W, V, output);
}
