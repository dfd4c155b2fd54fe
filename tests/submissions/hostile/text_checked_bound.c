// expect: WRONG_ANSWER
// Controls a terminal from within the brackets of an array.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    double w[/* passed: [31m */ 4], x[4 /* ‮ */];

    for (size_t i = 0; i < 4; i++)
        w[i] = x[i] = 0;
    output[0][0] = w[Tq % 2] + x[d % 2];
#ifndef __OPTIMIZE__
    w[Tq + Tk + d] = 1;
    x[Tq + Tk + d] = 1;
#endif
}
