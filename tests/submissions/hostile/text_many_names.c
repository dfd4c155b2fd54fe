// expect: WRONG_ANSWER
// Fifty thousand functions, each of which could be the one that was meant.
__asm__(".altmacro\n"
        ".macro name n\n"
        "solv_\\n: .type solve_\\n, @function\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 50000\n"
        "name %i\n"
        ".set i, i + 1\n"
        ".endr\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
