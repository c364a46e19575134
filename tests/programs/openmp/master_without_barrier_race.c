//@ verdict: race
//@ race: ready 12 13
//@ about: master: it has no barrier
#include <stdio.h>

int main(void)
{
    int ready = 0, count = 0;
#pragma omp parallel
    {
#pragma omp master
        ready = 1;
        int r = ready;
#pragma omp atomic
        count += r;
    }
    printf("%d\n", count);
    return 0;
}
