// expect: COMPILE_ERROR
// Escapes in a name that is refused.
void other(void) __asm__("grader_\033[2J\n100 of 100");
void other(void)
{
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
