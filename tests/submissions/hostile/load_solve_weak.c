// expect: COMPILE_ERROR says="may be replaced"
// What is called gives way to another.
#pragma weak solve

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
