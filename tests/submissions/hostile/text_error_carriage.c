// expect: COMPILE_ERROR
// Goes back to the start of a line, and writes over it.
#error wrong100 of 100 points, passed

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
