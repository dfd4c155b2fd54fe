// expect: COMPILE_ERROR
// More sections than a file can count.
__asm__(".altmacro\n"
        ".macro name n\n"
        ".section s\\n, \"a\"\n"
        ".byte 1\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 70000\n"
        "name %i\n"
        ".set i, i + 1\n"
        ".endr\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
