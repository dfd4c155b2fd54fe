// expect: WRONG_ANSWER
// Lets a small block grow.
#define _GNU_SOURCE
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    pages = mremap(pages, 4096, 1L << 40, MREMAP_MAYMOVE);
    if (pages != MAP_FAILED)
        output[0][0] = 4;
}
