//@ verdict: race-free
//@ about: dynamic, 2: the two iterations of a chunk stay together and in order
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 6; i++) {
            if (i % 2 == 1)
                assert(before == i - 1);
            before = i;
        }
    }
    return 0;
}
