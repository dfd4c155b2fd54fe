// expect: COMPILE_ERROR
// For reports that are pages, or commands of a build server.
#error </pre><script>alert(1)</script> ]]> <failure/> ::set-output name=x::1
#error ", "score": 100, "verdict": "PASS", "x": "

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
