// expect: RUNTIME_ERROR
// Moves the ends of the code that the crash report looks for callers in.
const char __executable_start[1] = {0}, etext[1] = {0};

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    *(volatile int *)0 = 1;
}
