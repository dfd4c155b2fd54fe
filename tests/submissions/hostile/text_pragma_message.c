// expect: WRONG_ANSWER
// A message that is none of the compiler's.
#pragma message "solve.c:1:1: error: \033[2J\n100 of 100 points"

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
