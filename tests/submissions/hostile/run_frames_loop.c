// expect: RUNTIME_ERROR
// Crashes on a stack whose frames go round.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    static void *frames[64];

    for (int i = 0; i < 64; i += 2) {
        frames[i] = frames;
        frames[i + 1] = (char *)solve + 64;
    }
    __asm__ volatile("mov %0, %%rbp\n"
                     "ud2"
                     :
                     : "r"(frames));
}
