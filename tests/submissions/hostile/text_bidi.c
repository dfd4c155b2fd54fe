// expect: WRONG_ANSWER says="\xe2\x80\xae"
// Text that is shown in another order than it has.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    puts("\xe2\x80\xae dessap \xe2\x81\xa6 \xe2\x80\x8f \xd8\x9c \xe2\x80\xa8 \xef\xbb\xbf");
}
