// expect: RUNTIME_ERROR
// Says that all calls have been made, and lets the runner go on.
#include <stdint.h>
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    volatile uint64_t *progress =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

    progress[3] = progress[1] - progress[0];
}
