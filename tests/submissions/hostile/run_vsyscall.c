// expect: SECURITY_VIOLATION or=RUNTIME_ERROR or=WRONG_ANSWER
// The oldest way into the kernel, where there is one.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    ((long (*)(long *))0xffffffffff600400)(0);
}
