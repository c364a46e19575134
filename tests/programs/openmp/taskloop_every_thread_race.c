//@ verdict: race
//@ race: v[*] 12 12
//@ about: taskloop without single: every thread makes the whole loop
#include <stdio.h>

int main(void)
{
    int v[100] = {0};
#pragma omp parallel
#pragma omp taskloop
    for (int i = 0; i < 100; i++)
        v[i]++;
    printf("%d\n", v[0]);
    return 0;
}
