// expect: SECURITY_VIOLATION says="socket"
// Would have another call be the one that was refused something.
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    volatile uint64_t *progress =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

    progress[2] = 1;
    progress[3] = 0;
    socket(AF_INET, SOCK_STREAM, 0);
}
