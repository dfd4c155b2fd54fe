// expect: COMPILE_ERROR says="\xe2\x80\xae"
// A line that is read from right to left.
#error ‮ dessap ⁦ ‏

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
