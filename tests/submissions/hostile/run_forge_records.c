// expect: WRONG_ANSWER
// Forges where each call's text ends, and how long it took.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct plan {
    uint64_t magic, bytes, outputs_bytes;
    uint32_t n_slots, n_calls;
    uint64_t slots_at, calls_at, arguments_at, records_at;
    uint32_t nonce, n_arguments;
};

struct argument {
    uint32_t kind, slot;
    uint64_t value, bytes, pattern;
};

static const struct plan *map_plan(void)
{
    const struct plan *plan = mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3, 0);

    return mmap(NULL, plan->bytes, PROT_READ, MAP_SHARED, 3, 0);
}

void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const double Q[Tq][d],
           const double K[Tk][d], const double V[Tk][d_v], bool causal,
           double output[Tq][d_v])
{
    const struct plan *plan = map_plan();
    char *outputs = mmap(NULL, plan->outputs_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED, 4, 0);

    puts("text");
    memset(outputs + plan->records_at, Tq % 2 ? 0xff : 0x7f, 16 * plan->n_calls);
}
