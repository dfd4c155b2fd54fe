// expect: COMPILE_ERROR or=WRONG_ANSWER
// Says that it is no machine code yet.
__asm__(".comm __gnu_lto_slim, 1, 1\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
