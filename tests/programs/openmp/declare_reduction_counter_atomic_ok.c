//@ verdict: race-free
//@ about: declare reduction: a combiner that counts with an atomic and reads a table that nobody writes
#include <assert.h>

typedef struct {
    long value;
} part;

static int calls;
static long weight[2] = {1, 1};

static void combine(part *out, const part *in)
{
#pragma omp atomic
    calls++;
    out->value += in->value * weight[1];
}
#pragma omp declare reduction(part : part : combine(&omp_out, &omp_in)) initializer(omp_priv = (part){0})

int main(void)
{
    part total = {5};
#pragma omp parallel for reduction(part : total) schedule(dynamic)
    for (int i = 0; i < 20; i++)
        total.value += i;
    assert(total.value == 195);
    return 0;
}
