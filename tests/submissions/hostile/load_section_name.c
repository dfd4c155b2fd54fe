// expect: COMPILE_ERROR
// A section's name that goes on to be more than that.
__attribute__((section(".x, \"awx\", @progbits\n#"))) int number = 1;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
