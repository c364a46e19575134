//@ verdict: race
//@ race: n 13 14
//@ about: target if(0) nowait: a deferred task on the host, and nobody waits for it
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target if (0) nowait map(tofrom : n)
        n = 1;
        n += 1;
    }
    printf("%d\n", n);
    return 0;
}
