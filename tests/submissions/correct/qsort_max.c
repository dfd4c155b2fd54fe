// expect: PASS
// Helpers, structs and a good part of the standard library.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct key {
    size_t index;
    double score;
};

static int by_score(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    return (x->score < y->score) - (x->score > y->score);
}

double dot_product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    while (n-- > 0)
        sum += *a++ * *b++;
    return sum;
}

static void mix(size_t n, const struct key keys[], size_t d_v,
                const double V[][d_v], double row[])
{
    double total = 0;

    memset(row, 0, d_v * sizeof(double));
    for (size_t r = n; r-- > 0;) { /* the small ones first */
        double w = exp(keys[r].score - keys[0].score);

        total += w;
        for (size_t c = 0; c < d_v; c++)
            row[c] += w * V[keys[r].index][c];
    }
    for (size_t c = 0; c < d_v; c++)
        row[c] /= total;
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    char note[80];

    assert(Tq > 0 && Tk > 0 && d > 0 && d_v > 0);
    snprintf(note, sizeof note, "%zu keys", Tk);
    assert(strlen(note) < sizeof note);
    for (size_t i = 0; i < Tq; i++) {
        size_t n = causal ? i + 1 : Tk;
        struct key keys[64];

        for (size_t j = 0; j < n; j++)
            keys[j] = (struct key){j, dot_product(Q[i], K[j], d) / sqrt(d)};
        qsort(keys, n, sizeof keys[0], by_score);
        mix(n, keys, d_v, V, output[i]);
    }
}
