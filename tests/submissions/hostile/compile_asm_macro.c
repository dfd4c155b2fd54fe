// expect: COMPILE_ERROR
// A macro that is made of itself, twice.
__asm__(".macro again\n"
        "again\n"
        "again\n"
        ".endm\n"
        "again\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
