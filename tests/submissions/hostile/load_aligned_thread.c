// expect: RUNTIME_ERROR or=COMPILE_ERROR
// The same for each thread: there is no room for it when the program starts.
_Thread_local __attribute__((aligned(1 << 28))) char first = 1;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
