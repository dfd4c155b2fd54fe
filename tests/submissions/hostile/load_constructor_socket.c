// expect: SECURITY_VIOLATION says="socket"
// Reaches for the network before the first call.
#include <sys/socket.h>

__attribute__((constructor)) static void reach(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
