//@ verdict: race-free
//@ about: declare reduction: a combiner that takes two critical sections, always in the same order
#include <cassert>

struct Part {
    long value;
};

static int calls, seen;

static void combine(Part &out, const Part &in)
{
#pragma omp critical(outer)
    {
        calls++;
#pragma omp critical(inner)
        seen += 2;
    }
    out.value += in.value;
}
#pragma omp declare reduction(part : Part : combine(omp_out, omp_in)) initializer(omp_priv = Part{0})

int main()
{
    Part total{0};
#pragma omp parallel reduction(part : total)
    total.value++;
    assert(total.value > 0);
    return 0;
}
