// expect: WRONG_ANSWER fails=gentle,unseen names=output-zero
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++)
        for (size_t c = 0; c < d_v; c++)
            output[i][c] = 0;
}
