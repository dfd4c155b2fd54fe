// expect: COMPILE_ERROR says="grader's own"
// A label that only this file can see, where the runner's way out is looked
// for.
__asm__("grader_exit_return: ret");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
