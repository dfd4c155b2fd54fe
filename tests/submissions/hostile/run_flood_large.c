// expect: OUTPUT_LIMIT
// Prints all it has in one piece.
#include <sys/uio.h>
#include <unistd.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    if (Tq != 2 || Q[0][0] != 1 || !causal)
        return;
    static char text[1 << 20];
    struct iovec parts[8];

    for (int i = 0; i < 8; i++)
        parts[i] = (struct iovec){text, sizeof(text)};
    writev(1, parts, 8);
    write(1, text, sizeof(text));
}
