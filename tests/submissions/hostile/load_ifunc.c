// expect: SECURITY_VIOLATION or=RUNTIME_ERROR
// A resolver runs while the program is put together; musl has none of it.
#include <sys/socket.h>

static void empty(void)
{
}

static void *choose(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
    return empty;
}

void other(void) __attribute__((ifunc("choose")));

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    other();
}
