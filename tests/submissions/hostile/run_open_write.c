// expect: SECURITY_VIOLATION says="called open()"
// A file of its own, for the next submission.
#include <fcntl.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    int fd = open("@LEFT@", O_WRONLY | O_CREAT, 0666);

    write(fd, "x", 1);
}
