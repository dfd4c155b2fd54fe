// expect: COMPILE_ERROR says="no function named solve"
// What is called has another name.
#pragma redefine_extname solve elsewhere

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
