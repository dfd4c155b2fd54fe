// expect: RUNTIME_ERROR fails=examples,gentle,causal names=output-columns
// output[c][i] in place of output[i][c].
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    int i, j, c, last;
    double dot, biggest, sum;
    double score[64];
    double weight[64];

    i = 0;
    while (i < Tq) {
        /* how many keys? */
        if (causal)
            last = i;
        else
            last = Tk - 1;

        /* scores */
        j = 0;
        while (j <= last) {
            dot = 0;
            for (c = 0; c < d; c++)
                dot = dot + Q[i][c] * K[j][c];
            score[j] = dot / sqrt(d);
            j++;
        }

        /* the biggest */
        biggest = score[0];
        for (j = 0; j <= last; j++)
            if (score[j] > biggest)
                biggest = score[j];

        /* weights */
        sum = 0;
        for (j = 0; j <= last; j++) {
            weight[j] = exp(score[j] - biggest);
            sum = sum + weight[j];
        }
        for (j = 0; j <= last; j++)
            weight[j] = weight[j] / sum;

        /* output */
        for (c = 0; c < d_v; c++) {
            output[c][i] = 0;
            for (j = 0; j <= last; j++)
                output[c][i] = output[c][i] + weight[j] * V[j][c];
        }
        i++;
    }
}
