// expect: SECURITY_VIOLATION not="kill"
// Tells of hidden inputs by the name of a refused call.
#include <signal.h>
#include <stdint.h>
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
    if (map_plan()->n_calls < 30)
        kill(1, 0);
}
