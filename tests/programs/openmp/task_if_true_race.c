//@ verdict: race
//@ race: step 15 16
//@ about: task if(1): deferred as ever
#include <stdio.h>

int main(void)
{
    int step = 0, copy;
    int when = 1;
#pragma omp parallel
#pragma omp single
    {
        step = 1;
#pragma omp task shared(step) if (when)
        step = step * 10;
        copy = step + 1;
    }
    printf("%d\n", copy);
    return 0;
}
