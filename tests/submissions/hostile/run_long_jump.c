// expect: WRONG_ANSWER or=RUNTIME_ERROR
// Returns to a call that is over.
#include <setjmp.h>

static jmp_buf place;
static int was_there;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (!was_there) {
        was_there = 1;
        setjmp(place);
        return;
    }
    was_there = 0;
    longjmp(place, 1);
}
