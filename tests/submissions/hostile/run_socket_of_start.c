// expect: WRONG_ANSWER
// The socket through which the grader was given the listener; it is closed.
#include <sys/socket.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    struct msghdr message = {0};

    sendmsg(11, &message, 0);
}
