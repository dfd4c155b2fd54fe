// expect: PASS
#include <math.h>

struct sum {
    double value;
    double lost;
};

static void add(struct sum *sum, double x)
{
    double y = x - sum->lost;
    double t = sum->value + y;

    sum->lost = (t - sum->value) - y;
    sum->value = t;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double w[Tk];

    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        double max = -INFINITY;
        struct sum total = {0, 0};

        for (size_t j = 0; j < n; j++) {
            struct sum dot = {0, 0};
            for (size_t c = 0; c < d; c++)
                add(&dot, Q[i][c] * K[j][c]);
            w[j] = dot.value / sqrt(d);
            max = fmax(max, w[j]);
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = exp(w[j] - max);
            add(&total, w[j]);
        }
        for (size_t c = 0; c < d_v; c++) {
            struct sum mix = {0, 0};
            for (size_t j = 0; j < n; j++)
                add(&mix, w[j] * V[j][c]);
            output[i][c] = mix.value / total.value;
        }
    }
}
