//@ verdict: race
//@ race: v[*] 13 14
//@ about: task mergeable: not undeferred, hence not waited for
#include <stdio.h>

int main(void)
{
    int v[100];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task mergeable shared(v)
        v[i] = 2 * i;
        v[i] = 1;
    }
    printf("%d\n", v[0]);
    return 0;
}
