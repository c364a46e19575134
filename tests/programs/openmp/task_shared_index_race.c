//@ verdict: race
//@ races: at-least
//@ race: i 14 16
//@ about: task: the loop index is shared, and the creator counts on
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N + 1] = {0};
    int i;
#pragma omp parallel
#pragma omp single
    for (i = 0; i < N; i++) {
#pragma omp task
        v[i]++;
    }
    printf("%d\n", v[0]);
    return 0;
}
