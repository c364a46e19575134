//@ verdict: race-free
//@ about: monotonic: a thread executes its chunks in increasing order
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(monotonic : dynamic)
        for (int i = 0; i < 4; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
