//@ verdict: race
//@ race: pool[0]|mine[0]|*mine 14 14
//@ about: single copyprivate: all get the same pointer and write through it
#include <stdio.h>

int main(void)
{
    int pool[100] = {0};
#pragma omp parallel
    {
        int *mine;
#pragma omp single copyprivate(mine)
        mine = pool;
        mine[0] = 4;
    }
    printf("%d\n", pool[0]);
    return 0;
}
