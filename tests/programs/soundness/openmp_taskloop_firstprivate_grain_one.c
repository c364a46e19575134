//@ verdict: race-free
//@ about: grainsize(1): every iteration has a copy of its own
#include <assert.h>

int main(void)
{
    int f = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop firstprivate(f) grainsize(1)
    for (int i = 0; i < 3; i++) {
        f++;
        assert(f == 1);
    }
}
