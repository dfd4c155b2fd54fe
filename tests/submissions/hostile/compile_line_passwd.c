// expect: COMPILE_ERROR not="root:"
// Says that its lines are those of another file, which compilers like to
// quote.
#line 1 "/etc/passwd"
int x = y;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
