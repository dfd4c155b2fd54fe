// expect: SECURITY_VIOLATION or=RUNTIME_ERROR
// Goes on in 32 bits, and calls from there.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    __asm__ volatile("push $0x23\n"
                     "lea 1f(%rip), %rax\n"
                     "push %rax\n"
                     "lretq\n"
                     "1: .byte 0xb8, 20, 0, 0, 0\n"
                     "int $0x80\n"
                     "ud2");
}
