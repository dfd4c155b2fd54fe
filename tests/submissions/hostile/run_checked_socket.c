// expect: WRONG_ANSWER not="called socket"
// Makes a call that is not allowed, where nobody grades by it.
#include <sys/socket.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    socket(AF_INET, SOCK_STREAM, 0);
    __builtin_trap();
#endif
}
