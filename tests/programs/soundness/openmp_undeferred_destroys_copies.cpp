//@ verdict: race-free
//@ about: the firstprivate copies of an undeferred task are destroyed when it ends
#include <cassert>
static int live;

struct S {
    S() { live++; }
    S(const S &) { live++; }
    ~S() { live--; }
};

int main()
{
    S s;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task if (0) firstprivate(s)
        {
            (void)&s;
            assert(live == 2);
        }
        assert(live == 1);
    }
}
