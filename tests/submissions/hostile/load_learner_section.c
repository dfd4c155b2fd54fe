// expect: COMPILE_ERROR
// Memory to be written to and to be run, by the name that the linker script
// knows.
__asm__(".section learner, \"awx\"\n"
        ".quad 1\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
