//@ verdict: race
//@ race: last.count|last 16 16
//@ about: declare reduction: combiners that remember what they combined last, in one place for all
#include <assert.h>

typedef struct {
    long value, count;
} part;

static part last;

static void combine(part *out, const part *in)
{
    out->value += in->value;
    out->count += in->count;
    last.count = in->count;
}
#pragma omp declare reduction(part : part : combine(&omp_out, &omp_in)) initializer(omp_priv = (part){0, 0})

int main(void)
{
    part total = {0, 0};
#pragma omp parallel reduction(part : total)
    {
        total.value += 2;
        total.count++;
    }
    assert(total.value == 2 * total.count);
    return 0;
}
