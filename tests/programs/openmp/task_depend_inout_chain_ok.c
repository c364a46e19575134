//@ verdict: race-free
//@ about: task depend(inout): a chain in the order of creation
#include <assert.h>

int main(void)
{
    int chain = 0, want = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : chain) shared(chain)
        chain = (chain * 5 + i) % 997;
    }
    for (int i = 0; i < 100; i++)
        want = (want * 5 + i) % 997;
    assert(chain == want);
    return 0;
}
