//@ verdict: defect
//@ defect: assertion 18
//@ about: guided, 2: the chunk with the last iteration may have one
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int first = -1, count = 0;
#pragma omp for schedule(guided, 2)
        for (int i = 0; i < 4; i++) {
            if (count == 0)
                first = i;
            count++;
        }
        // A first chunk of three iterations leaves one.
        assert(!(count == 1 && first == 3));
    }
    return 0;
}
