// expect: COMPILE_ERROR
// A terabyte that takes no room in a file.
__asm__(".comm memory, 1 << 40, 4096\n");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
