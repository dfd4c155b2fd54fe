// expect: WRONG_ANSWER
// Prints without end and does not want to hear of limits.
#include <signal.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    static char text[1 << 20];

    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 1000; i++)
        write(1, text, sizeof(text));
}
