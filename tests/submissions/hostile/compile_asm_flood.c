// expect: COMPILE_ERROR
// A million lines that the assembler complains of.
__asm__(".rept 1000000\n"
        "bogus instruction\n"
        ".endr\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
