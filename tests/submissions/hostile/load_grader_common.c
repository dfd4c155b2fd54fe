// expect: COMPILE_ERROR says="grader's own"
// Room for what new memory is filled with.
__asm__(".comm grader_heap_pattern, 8, 8");

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
}
