//@ verdict: race
//@ race: cell[*] 11 11
//@ about: for schedule(runtime): the environment decides the distribution
#include <stdio.h>

int main(void)
{
    int cell[100] = {0};
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 200; i++)
        cell[i >> 1] = i;
    printf("%d\n", cell[0]);
    return 0;
}
