// expect: WRONG_ANSWER fails=above,spike,deep passes=examples,gentle,causal,sizes,below,rows,ramp,full,again names=shift-long-double
// long double goes further than double, not far enough.
#include <math.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        long double l = 0;     // sum so far
        long double o[64] = {0}; // mix so far

        for (size_t j = 0; j < Tk; j++) {
            if (causal && j > i)
                break;
            double s = 0;
            for (size_t c = 0; c < d; c++)
                s += Q[i][c] * K[j][c];
            s /= sqrt(d);

            long double p = expl(s);
            l += p;
            for (size_t c = 0; c < d_v; c++)
                o[c] += p * V[j][c];
        }
        for (size_t c = 0; c < d_v; c++)
            output[i][c] = o[c] / l;
    }
}
