// expect: COMPILE_ERROR says="\x1b"
// Clears the screen and renames the window, by the compiler.
#error [2J[H]0;root 2J

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
