// expect: COMPILE_ERROR
// Two instructions, two gibibytes apart.
__asm__(".p2align 31\n"
        "nop\n"
        ".p2align 31\n"
        "nop\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
