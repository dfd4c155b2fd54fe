// expect: COMPILE_ERROR says="grader's own"
// Where the runner's way out is said to be.
__asm__(".globl grader_exit_return\n"
        ".set grader_exit_return, 0x401000");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
