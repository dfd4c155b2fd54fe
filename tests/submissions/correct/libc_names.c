// expect: PASS
// No header at all: an exp, a sqrt, a memset and a max of one's own, some with
// names that the C library has, too.
typedef double real;

static real sqrt(real x)
{
    real y = x > 1 ? x : 1;

    for (int n = 0; n < 60; n++)
        y = (y + x / y) / 2;
    return y;
}

static real exp(real x)
{
    int halvings = 0;
    real term = 1, sum = 1;

    if (x < -745)
        return 0;
    while (x < -0.01 || x > 0.01) {
        x /= 2;
        halvings++;
    }
    sum = 0; /* of e^x - 1, which keeps its digits when it is doubled */
    for (int n = 1; n < 12; n++) {
        term *= x / n;
        sum += term;
    }
    while (halvings-- > 0)
        sum = sum * (2 + sum);
    return 1 + sum;
}

static void *memset(void *at, int byte, __SIZE_TYPE__ count)
{
    volatile unsigned char *p = at;

    while (count--)
        *p++ = (unsigned char)byte;
    return at;
}

static real y1, index, write, time, max;

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    for (size_t i = 0; i < Tq; i++) {
        real free[64];

        index = causal ? i + 1 : Tk;
        max = -1e300;
        y1 = 0;
        for (size_t j = 0; j < index; j++) {
            write = 0;
            for (size_t c = 0; c < d; c++)
                write += Q[i][c] * K[j][c];
            free[j] = write / sqrt(d);
            if (free[j] > max)
                max = free[j];
        }
        memset(output[i], 0, d_v * sizeof(double));
        for (size_t j = 0; j < index; j++) {
            time = exp(free[j] - max);
            y1 += time;
            for (size_t c = 0; c < d_v; c++)
                output[i][c] += time * V[j][c];
        }
        for (size_t c = 0; c < d_v; c++)
            output[i][c] /= y1;
    }
}
