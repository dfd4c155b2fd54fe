// expect: WRONG_ANSWER
// Changes a copy of the inputs.
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char *copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, 3, 0);

    memset(copy, 0xff, 4096);
}
