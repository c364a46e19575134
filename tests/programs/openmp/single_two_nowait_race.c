//@ verdict: race
//@ race: slot 12 14
//@ about: single nowait twice: each may be run by another thread
#include <stdio.h>

int main(void)
{
    int slot = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        slot = 1;
#pragma omp single nowait
        slot = 2;
    }
    printf("%d\n", slot);
    return 0;
}
