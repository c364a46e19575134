//@ verdict: race-free
//@ about: guided, 3: the iterations of a chunk stay together and in order
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(guided, 3)
        for (int i = 0; i < 6; i++) {
            // The first chunk has three iterations or more, in order.
            if (i == 1 || i == 2)
                assert(before == i - 1);
            before = i;
        }
    }
    return 0;
}
