//@ verdict: race
//@ race: note 12 14
//@ about: masked filter: two different threads are selected
#include <stdio.h>

int main(void)
{
    int note = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp masked filter(0)
        note = 1;
#pragma omp masked filter(1)
        note = 2;
    }
    printf("%d\n", note);
    return 0;
}
