// expect: RUNTIME_ERROR fails=gentle passes=examples says="wrote past the end of a local array"
// Room for the keys of the lesson's examples, and for no more.
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST = 4 };

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double weights[MOST];

    for (size_t i = 0; i < Tq; i++) {
        size_t last = causal ? i : Tk - 1;
        double largest = -INFINITY, total = 0;

        for (size_t j = 0; j <= last; j++) {
            weights[j] = 0;
            for (size_t k = 0; k < d; k++)
                weights[j] += Q[i][k] * K[j][k];
            weights[j] /= sqrt((double)d);
            largest = fmax(largest, weights[j]);
        }
        for (size_t j = 0; j <= last; j++) {
            weights[j] = exp(weights[j] - largest);
            total += weights[j];
        }
        for (size_t k = 0; k < d_v; k++) {
            output[i][k] = 0;
            for (size_t j = 0; j <= last; j++)
                output[i][k] += weights[j] / total * V[j][k];
        }
    }
}
