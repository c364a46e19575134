//@ verdict: race-free
//@ options: --threads 2
//@ about: tasks with the same dependence on both sides of a barrier
#include <assert.h>

int main(void) {
    int x = 0;
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 2; i++) {
#pragma omp master
        {
#pragma omp task depend(out : x) shared(x)
            x += 1;
#pragma omp task depend(inout : x) shared(x)
            x *= 2;
        }
#pragma omp barrier
    }
    assert(x == 6);
    return 0;
}
