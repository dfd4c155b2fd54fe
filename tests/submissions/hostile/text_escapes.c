// expect: WRONG_ANSWER says="\x1b"
// Clears the screen, renames the window, fills the clipboard.
#include <stdio.h>

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    puts("\033[2J\033[H\033]0;root\a\033]52;c;cm0gLXJm\a\033P\033\\");
}
