// expect: SECURITY_VIOLATION says="called mmap()"
// The outputs as code.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, 4, 0);
}
