// expect: RUNTIME_ERROR
// Line numbers that lead elsewhere, and a crash to look up in them.
__asm__(".file 2 \"@CANARY@\"\n"
        ".file 3 \"/etc/passwd\"");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    __asm__ volatile(".loc 2 1\n"
                     "ud2\n"
                     ".loc 3 1");
}
