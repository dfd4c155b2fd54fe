// expect: COMPILE_ERROR says="grader's own"
// What the C library calls, in a second version.
int grader_main(void)
{
    return 0;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
