// expect: COMPILE_ERROR
// The assembler fails in words of our own.
__asm__(".error \"\\033[2J\\nsolve.c:1:1: fatal error: forged\"\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
