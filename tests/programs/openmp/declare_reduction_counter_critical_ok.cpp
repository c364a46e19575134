//@ verdict: race-free
//@ about: declare reduction: a combiner that counts under a critical section of its own
#include <cassert>

struct Part {
    long value;
};

static int calls;

static void combine(Part &out, const Part &in)
{
#pragma omp critical(counting)
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
    assert(total.value == 780 && calls > 0);
    return 0;
}
