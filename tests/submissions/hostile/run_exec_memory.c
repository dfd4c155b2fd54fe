// expect: SECURITY_VIOLATION says="called memfd_create()"
// Another program, which never was in a file.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    int fd = memfd_create("x", 0);

    write(fd, "#!/bin/sh\n", 10);
    fexecve(fd, (char *[]){"x", 0}, (char *[]){0});
}
