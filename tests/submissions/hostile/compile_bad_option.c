// expect: WRONG_ANSWER
// Options of the compiler that would read, write or load files.
#pragma GCC optimize("-fdump-tree-all=@CANARY@", "-fplugin=@CANARY@")
#pragma GCC optimize("-fprofile-use=@CANARY@", "-fauto-profile=@CANARY@")

__attribute__((optimize("-save-temps", "-fstack-usage", "-fdump-rtl-all")))
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
