// expect: COMPILE_ERROR
// One number, and 256 MiB to the next.
__attribute__((aligned(1 << 28))) char first = 1;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
