// expect: COMPILE_ERROR
// Twenty thousand functions that the linker misses.
__asm__(".altmacro\n"
        ".macro name n\n"
        "call a_function_that_is_nowhere_\\n\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 20000\n"
        "name %i\n"
        ".set i, i + 1\n"
        ".endr\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
