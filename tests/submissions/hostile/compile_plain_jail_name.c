// expect: COMPILE_ERROR
// Words of the preprocessor that tell of the machine.
#error __FILE__ __BASE_FILE__
_Static_assert(0, __FILE__ " " __BASE_FILE__);

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
