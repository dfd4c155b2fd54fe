// expect: RUNTIME_ERROR not="root:"
// A crash in a line that is said to be another file's.
#line 1 "/etc/passwd"
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    *(volatile int *)0 = 1;
}
