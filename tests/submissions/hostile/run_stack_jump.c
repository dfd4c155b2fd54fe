// expect: RUNTIME_ERROR
// Leaps over the end of the stack.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char here[(1L << 34) + (Tq << 20)];

    here[0] = 1;
    __asm__ volatile("" : : "r"(here) : "memory");
}
