//@ verdict: race
//@ race: v[*] 13 13
//@ about: task: no single, so every thread creates every task
#include <stdio.h>
#define N 20

int main(void)
{
    int v[N] = {0};
#pragma omp parallel
    for (int i = 0; i < N; i++) {
#pragma omp task
        v[i] += i;
    }
    printf("%d\n", v[0]);
    return 0;
}
