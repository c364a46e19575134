//@ verdict: race-free
//@ about: task depend(mutexinoutset): in any order, one at a time
#include <assert.h>

int main(void)
{
    int total = 0, seen = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : total) shared(total)
        total = 1000;
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : total) shared(total)
            total += i;
        }
#pragma omp task depend(in : total) shared(total, seen)
        seen = total;
    }
    assert(seen == 1190);
    return 0;
}
