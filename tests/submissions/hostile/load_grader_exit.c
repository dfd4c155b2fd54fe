// expect: COMPILE_ERROR says="grader's own"
// The runner's own exit, in a second version.
void grader_exit(void)
{
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
