// expect: RUNTIME_ERROR
// Crashes with a stack pointer and a frame that lead nowhere.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    __asm__ volatile("mov $0x123456789abcdef0, %rsp\n"
                     "mov $0x10, %rbp\n"
                     "ud2");
}
