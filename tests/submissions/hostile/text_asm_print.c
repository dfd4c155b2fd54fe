// expect: WRONG_ANSWER
// The assembler says whatever it is told to.
__asm__(".print \"100 of 100 points, passed\"\n"
        ".print \"solve.c:1:1: error: x\"\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
