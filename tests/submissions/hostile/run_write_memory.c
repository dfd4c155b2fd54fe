// expect: SECURITY_VIOLATION says="called process_vm_writev()"
// The grader's memory.
#define _GNU_SOURCE
#include <sys/uio.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char bytes[64];
    struct iovec here = {bytes, 64}, there = {(void *)0x400000, 64};

    process_vm_writev(getppid(), &here, 1, &there, 1, 0);
}
