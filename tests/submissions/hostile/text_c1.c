// expect: WRONG_ANSWER says="\xc2\x9b"
// Control characters of eight bits, with and without UTF-8.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    puts("\xc2\x9b" "2J \x9b" "2J \xc2\x85 \x84\x8d");
}
