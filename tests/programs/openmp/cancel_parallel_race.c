//@ verdict: race
//@ race: reason 12 12
//@ about: cancel parallel: all threads write why
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int reason = 0;
#pragma omp parallel num_threads(2)
    {
        reason = 1;
#pragma omp cancel parallel
    }
    printf("%d\n", reason);
    return 0;
}
