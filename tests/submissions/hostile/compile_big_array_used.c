// expect: COMPILE_ERROR
// A gibibyte, of which one number is not zero.
int memory[1 << 28] = {1};

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
