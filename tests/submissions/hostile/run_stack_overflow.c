// expect: RUNTIME_ERROR
// Calls itself without end.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char here[4096];

    __asm__ volatile("" : : "r"(here) : "memory");
    if (Q[0][0] == 1)
        solve(Tq, Tk, d, d_v, Q, K, V, causal, output);
    __asm__ volatile("" : : "r"(here) : "memory");
}
