// expect: COMPILE_ERROR
// A name of a million letters.
#define A aaaaaaaaaa
#define CAT(a, b, c, d, e) a##b##c##d##e
#define X(a, b, c, d, e) CAT(a, b, c, d, e)
#define B X(A, A, A, A, A)
#define C X(B, B, B, B, B)
#define D X(C, C, C, C, C)
#define E X(D, D, D, D, D)
#define F X(E, E, E, E, E)
#define G X(F, F, F, F, F)
int x = G;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
