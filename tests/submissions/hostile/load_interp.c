// expect: COMPILE_ERROR says="interpreter"
// Asks for another program to start this one.
__asm__(".section .interp, \"a\"\n"
        ".asciz \"/bin/sh\"\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
