//@ verdict: race
//@ race: step 13 15
//@ about: task if(0): ordered with its creator, not with the sibling that is still running
#include <stdio.h>

int main(void)
{
    int step = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(step)
        step += 1;
#pragma omp task shared(step) if (0)
        step += 2;
    }
    printf("%d\n", step);
    return 0;
}
