// expect: RUNTIME_ERROR
// Starts the runner a second time.
_Noreturn void grader_run(void);

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    grader_run();
}
