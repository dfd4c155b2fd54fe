// expect: COMPILE_ERROR or=WRONG_ANSWER
// Asks for a shared library.
__asm__(".section .dynamic, \"aw\"\n"
        ".quad 1, 1, 0, 0\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
