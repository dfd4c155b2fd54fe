// expect: RUNTIME_ERROR
// Leaves a flag set by which each instruction is a signal.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double w[n], max = -INFINITY, sum = 0;

        for (size_t j = 0; j < n; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d; c++)
                w[j] += Q[i][c] * K[j][c];
            w[j] /= sqrt(d);
            max = fmax(max, w[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += w[j] = exp(w[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            output[i][c] = 0;
            for (size_t j = 0; j < n; j++)
                output[i][c] += w[j] / sum * V[j][c];
        }
    }

    __asm__ volatile("pushf\n"
                     "orl $0x100, (%rsp)\n"
                     "popf");
}
