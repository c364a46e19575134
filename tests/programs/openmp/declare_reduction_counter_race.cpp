//@ verdict: race
//@ race: calls 14 14
//@ about: declare reduction: combiners may run at the same time, so a counter in one is shared
#include <cassert>

struct Part {
    long value;
};

static int calls;

static void combine(Part &out, const Part &in)
{
    calls++;
    out.value += in.value;
}
#pragma omp declare reduction(part : Part : combine(omp_out, omp_in)) initializer(omp_priv = Part{0})

int main()
{
    Part total{0};
#pragma omp parallel for reduction(part : total) schedule(static)
    for (int i = 0; i < 40; i++)
        total.value += i;
    assert(total.value == 780);
    return 0;
}
