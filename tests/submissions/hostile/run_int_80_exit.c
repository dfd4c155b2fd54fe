// expect: SECURITY_VIOLATION or=RUNTIME_ERROR
// Ends by a number that stands for write among those of 64 bits.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    long result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(1), "b"(0) : "memory");
}
