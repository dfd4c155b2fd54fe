// expect: COMPILE_ERROR
// The same, one in the other.
__asm__(".rept 100000\n"
        ".rept 100000\n"
        "nop\n"
        ".endr\n"
        ".endr\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
