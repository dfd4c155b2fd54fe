// expect: WRONG_ANSWER
// Bytes that are no letters, overlong forms, surrogates, half a letter at the
// end.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    fputs("\xff\xfe\xc0\xaf\xe0\x80\xaf\xed\xa0\x80\xf4\x90\x80\x80\xf8\x88\xe2\x82", stdout);
}
