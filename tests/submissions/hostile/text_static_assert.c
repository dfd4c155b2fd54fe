// expect: COMPILE_ERROR
// Escapes in the words of an assertion.
_Static_assert(0, "\033[2J\033]52;c;cm0gLXJm\a \u202e");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
