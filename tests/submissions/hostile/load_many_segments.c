// expect: WRONG_ANSWER
// Has more segments than any program needs: a note for each alignment.
#include <stdbool.h>
#include <stddef.h>

__asm__(".altmacro\n"
        ".macro note i\n"
        ".section .note.\\i, \"a\", @note\n"
        ".balign 1 << \\i\n"
        ".long 4, 4, 1\n"
        ".asciz \"abc\"\n"
        ".long 0\n"
        ".endm\n"
        ".set i, 0\n"
        ".rept 20\n"
        "note %i\n"
        ".set i, i + 1\n"
        ".endr\n"
        ".noaltmacro\n"
        ".text\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
