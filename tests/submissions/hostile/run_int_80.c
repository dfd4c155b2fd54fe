// expect: SECURITY_VIOLATION or=RUNTIME_ERROR
// Calls by their numbers of 32 bits: 11 there is execve, and here munmap.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    long result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(11), "b"(0), "c"(0), "d"(0) : "memory");
}
