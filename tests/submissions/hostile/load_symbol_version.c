// expect: COMPILE_ERROR or=WRONG_ANSWER
// Another version of the function.
__asm__(".globl other\n"
        "other:\n"
        ".symver other, solve@VERSION\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
