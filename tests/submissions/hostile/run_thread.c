// expect: SECURITY_VIOLATION
// A thread, which could go on computing between calls.
#include <pthread.h>

static void *stay(void *argument)
{
    for (;;)
        ;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    pthread_t thread;

    pthread_create(&thread, NULL, stay, NULL);
}
