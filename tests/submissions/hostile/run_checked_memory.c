// expect: WRONG_ANSWER
// Takes all memory in the build with checks, in small blocks and in large ones,
// and gives half of it back.
#include <stdlib.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
#ifndef __OPTIMIZE__
    for (size_t size = 1; size < 1 << 22; size *= 3) {
        char *block;

        for (size_t n = 0; n < 40000 && (block = malloc(size)); n++) {
            block[0] = 1;
            if (n % 2)
                free(block);
        }
    }
    for (;;)
        free(realloc(calloc(1000, 8), 100000));
#endif
}
