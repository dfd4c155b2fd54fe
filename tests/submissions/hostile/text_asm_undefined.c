// expect: COMPILE_ERROR
// Escapes in a name that the linker misses.
void other(void) __asm__("\033[31m\u202e\n100 of 100 points");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    other();
}
