// expect: TIME_LIMIT
// Asks for pages and gives them back.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    static char pages[8 << 20] __attribute__((aligned(4096)));

    for (;;) {
        for (size_t i = 0; i < sizeof(pages); i += 4096)
            pages[i] = 1;
        madvise(pages, sizeof(pages), MADV_DONTNEED);
    }
}
