//@ verdict: race
//@ race: *omp_in.calls|*in.calls|in.calls|counter|heap 17 17
//@ undecided: the initializer uses `omp_orig`, which clang lets a thread read beside another's combination
//@ about: declare reduction: all copies point to one counter, which combiners count up
#include <cassert>

struct Part {
    long value;
    int *calls;
};

static void combine(Part &out, const Part &in)
{
    out.value += in.value;
    if (!out.calls)
        out.calls = in.calls;
    (*in.calls)++;
}
#pragma omp declare reduction(part : Part : combine(omp_out, omp_in)) initializer(omp_priv = Part{0, omp_orig.calls})

int main()
{
    Part total{0, new int(0)};
#pragma omp parallel reduction(part : total)
    total.value += 1;
    assert(total.value > 0);
    delete total.calls;
    return 0;
}
