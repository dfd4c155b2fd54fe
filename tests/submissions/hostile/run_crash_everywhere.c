// expect: RUNTIME_ERROR
// Each call crashes at another place, in code with more line numbers than
// bytes.
#include <stdint.h>
#include <sys/mman.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    volatile uint64_t *progress =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    char *at;

    __asm__ volatile("lea 1f(%%rip), %0" : "=r"(at));
    __asm__ volatile("jmp *%0" : : "r"(at + 2000 * (progress[0] + progress[2])));
    __asm__ volatile("1: .rept 200000\n"
                     ".loc 1 5\n"
                     "ud2\n"
                     ".loc 1 6\n"
                     ".endr");
}
