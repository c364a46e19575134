//@ verdict: race-free
//@ about: num_tasks(2) of four iterations: at most three of them share a copy
#include <assert.h>

int main(void)
{
    int f = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop firstprivate(f) num_tasks(2)
    for (int i = 0; i < 4; i++) {
        f++;
        assert(f < 4);
    }
}
