// expect: WRONG_ANSWER fails=examples,gentle,causal names=scale-keys-plain
// Divided by the number of keys.
#include <math.h>

struct state {
    double high, sum, mix[64];
};

static void take(struct state *st, double score, size_t n, const double v[n])
{
    double high = fmax(st->high, score);
    double old = exp(st->high - high);
    double now = exp(score - high);

    st->sum = st->sum * old + now;
    for (size_t c = 0; c < n; c++)
        st->mix[c] = st->mix[c] * old + now * v[c];
    st->high = high;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        struct state st = {.high = -INFINITY};

        for (size_t j = 0; j < Tk && !(causal && j > i); j++) {
            double score = 0;
            for (size_t c = 0; c < d; c++)
                score += Q[i][c] * K[j][c];
            take(&st, score / Tk, d_v, V[j]);
        }
        for (size_t c = 0; c < d_v; c++)
            output[i][c] = st.mix[c] / st.sum;
    }
}
