//@ verdict: race
//@ race: made 14 14
//@ about: declare reduction: every thread initialises its copy, and the initialiser counts without a lock
#include <cassert>

struct Part {
    long value;
};

static int made;

static Part fresh()
{
    made++;
    return Part{0};
}
#pragma omp declare reduction(part : Part : omp_out.value += omp_in.value) initializer(omp_priv = fresh())

int main()
{
    Part total{1};
#pragma omp parallel for reduction(part : total) schedule(static)
    for (int i = 0; i < 10; i++)
        total.value += i;
    assert(total.value == 46);
    return 0;
}
