// expect: WRONG_ANSWER
// A switch of four thousand million cases.
void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    switch (Tq) {
    case 0 ... 0xffffffff:
        switch (Tk) {
        case 0 ... 0x7fffffffffffffff:
            break;
        }
    }
}
