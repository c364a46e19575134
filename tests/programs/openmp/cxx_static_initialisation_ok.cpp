//@ verdict: race-free
//@ about: a function-local static with a guard, reached first inside a region
#include <cassert>

static int build() { return 33; }

static int config()
{
    static const int value = build();
    return value;
}

int main()
{
    int bad = 0;
#pragma omp parallel reduction(+ : bad) num_threads(2)
    bad += config() != 33;
    assert(bad == 0);
    return 0;
}
