// expect: COMPILE_ERROR
// Line numbers that make no sense.
__asm__(".section .debug_line\n"
        ".rept 100000\n"
        ".byte 0xff, 0xff, 0xff, 0x7f, 4, 0, 0xff, 0xff\n"
        ".endr\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
