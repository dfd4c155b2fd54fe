// expect: WRONG_ANSWER
// Memory that could be another process's, too.
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (int i = 0; i < 1000; i++) {
        char *pages = mmap(NULL, 1 << 19, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (pages == MAP_FAILED)
            return;
        for (size_t at = 0; at < 1 << 19; at += 4096)
            pages[at] = 1;
    }
    output[0][0] = 4;
}
