// expect: WRONG_ANSWER or=RUNTIME_ERROR
// Code before all constructors, which ends the program; musl has none of it.
#include <stdlib.h>

static void leave(void)
{
    _Exit(0);
}

__attribute__((section(".preinit_array"), used))
static void (*const first)(void) = leave;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
