// expect: COMPILE_ERROR
// A type that is larger than all there is.
struct { char a[1L << 62], b[1L << 62], c[1L << 62]; } memory;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
