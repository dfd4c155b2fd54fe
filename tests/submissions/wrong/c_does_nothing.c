// expect: WRONG_ANSWER fails=examples,gentle,unseen says="was never written" names=-
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    // How does one start?
}
