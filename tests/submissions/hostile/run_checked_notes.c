// expect: WRONG_ANSWER
// Writes the notes of a crash by itself: numbers of no parameter, element or
// line that there is.
#include <stdint.h>

extern uint64_t notes[6] __asm__("grader_notes");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    static uint64_t kind;

#ifndef __OPTIMIZE__
    notes[0] = Tq * 64 + Tk + d + ++kind;
    notes[0] %= 8;
    notes[1] = (uint64_t)0x7ff00001 << 32 | (uint64_t)(200 + d) << 40;
    for (int i = 2; i < 6; i++)
        notes[i] = notes[1] * (uint64_t)i + (uint64_t)output;
    notes[2] = 8;
    if (kind % 3 == 0)
        *(volatile char *)0 = 1;
    if (kind % 3 == 1)
        __builtin_trap();
    __asm__ volatile("div %0" : : "r"(0L));
#endif
}
