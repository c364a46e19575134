//@ verdict: race
//@ race: late 13 15
//@ about: taskyield: it lets others run, it waits for nobody
#include <stdio.h>

int main(void)
{
    int late = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(late)
        late = 1;
#pragma omp taskyield
        got = late;
    }
    printf("%d\n", got);
    return 0;
}
