// expect: SECURITY_VIOLATION says="called execveat()"
// The way in which this program itself was started, without the key to it.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    syscall(SYS_execveat, 10, "", (char *[]){"x", 0}, (char *[]){0}, 0x1000);
}
