// expect: WRONG_ANSWER
// Makes a hundred million lines of assembly, in the build with checks alone.
#ifndef __OPTIMIZE__
__asm__(".rept 100000000\n.quad 0\n.endr");
#endif

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
