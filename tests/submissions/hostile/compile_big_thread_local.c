// expect: COMPILE_ERROR says="64 MiB"
// A gibibyte for each thread.
_Thread_local char memory[1 << 30];

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
