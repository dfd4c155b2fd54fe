// expect: SECURITY_VIOLATION
// A queue that stays when it is gone.
#include <fcntl.h>
#include <mqueue.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    mq_open("/left-behind", O_CREAT | O_RDWR, 0666, NULL);
}
