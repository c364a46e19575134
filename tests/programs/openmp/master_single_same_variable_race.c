//@ verdict: race
//@ race: flag 12 14
//@ about: master and single nowait: the single may fall on another thread
#include <stdio.h>

int main(void)
{
    int flag = 0;
#pragma omp parallel
    {
#pragma omp master
        flag = 1;
#pragma omp single nowait
        flag = 2;
    }
    printf("%d\n", flag);
    return 0;
}
