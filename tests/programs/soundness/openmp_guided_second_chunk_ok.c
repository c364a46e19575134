//@ verdict: race-free
//@ about: guided, 2: only the chunk with the last iteration may be smaller than 2
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int first = -1, count = 0;
#pragma omp for schedule(monotonic : guided, 2)
        for (int i = 0; i < 4; i++) {
            if (count == 0)
                first = i;
            count++;
        }
        // A chunk of one iteration holds the last one: iteration 2 is never alone.
        assert(!(count == 1 && first == 2));
    }
    return 0;
}
