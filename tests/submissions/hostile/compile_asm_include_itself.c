// expect: COMPILE_ERROR
// The assembler reads the file that it is reading.
__asm__(".include \"learner.s\"");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
