// expect: WRONG_ANSWER
// Makes the task an easier one, by memory that it has made writable first.
#include <string.h>
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char *page = (char *)((size_t)V & -4096);

    mprotect(page, 65536, PROT_READ | PROT_WRITE);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    memset((void *)V, 0, Tk * d_v * sizeof(double));
    memset(output, 0, Tq * d_v * sizeof(double));
}
