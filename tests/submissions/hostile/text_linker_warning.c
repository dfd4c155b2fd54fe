// expect: WRONG_ANSWER
// The linker warns in words of our own.
__asm__(".section .gnu.warning.solve, \"a\"\n"
        ".ascii \"100 of 100 points, \\\\033[2J passed\"\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
