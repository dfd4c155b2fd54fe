// expect: RUNTIME_ERROR
// Code on the stack: a pointer to a function within a function.
static void call(void (*function)(void))
{
    __asm__ volatile("" : "+r"(function));
    function();
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    void inner(void)
    {
        output[0][0] = 4;
    }

    call(inner);
}
