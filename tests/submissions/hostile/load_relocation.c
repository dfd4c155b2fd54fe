// expect: COMPILE_ERROR
// A relocation made by hand.
__asm__(".section .rela.text, \"\", @4\n"
        ".quad 0, 1 << 40, 0\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
