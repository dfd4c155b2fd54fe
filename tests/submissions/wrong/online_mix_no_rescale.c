// expect: WRONG_ANSWER fails=gentle names=online-mix-not-adjusted
// One pass; the sum is rescaled, the mix is not.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        double m = -INFINITY; // largest score so far
        double l = 0;         // sum so far
        double o[64] = {0};   // mix so far

        for (size_t j = 0; j < Tk; j++) {
            if (causal && j > i)
                break;
            double s = 0;
            for (size_t c = 0; c < d; c++)
                s += Q[i][c] * K[j][c];
            s /= sqrt(d);

            double m_new = s > m ? s : m;
            double old = exp(m - m_new);
            double p = exp(s - m_new);
            l = l * old + p;
            for (size_t c = 0; c < d_v; c++)
                o[c] = o[c] + p * V[j][c];
            m = m_new;
        }
        for (size_t c = 0; c < d_v; c++)
            output[i][c] = o[c] / l;
    }
}
