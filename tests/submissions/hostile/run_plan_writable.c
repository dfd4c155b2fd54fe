// expect: WRONG_ANSWER
// Makes the task an easier one for the grader as well.
#include <stdint.h>
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    char *read = mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3, 0);

    if (shared != MAP_FAILED)
        shared[0] = 0;
    if (mprotect(read, 4096, PROT_READ | PROT_WRITE) == 0)
        read[0] = 0;
    output[0][0] = 4;
}
