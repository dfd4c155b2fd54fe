// expect: COMPILE_ERROR
// Some bytes of a device.
__asm__(".section .rodata\n"
        "stolen: .incbin \"/dev/zero\", 0, 64\n"
        "stolen_end: .byte 0\n"
        ".text");

#include <stdio.h>

extern const char stolen[], stolen_end[];

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    fwrite(stolen, 1, stolen_end - stolen, stdout);
}
