//@ verdict: race
//@ race: v[*] 12 12
//@ about: parallel loop with a dependence
#include <stdio.h>
#define N 200

int main(void)
{
    int v[N + 1] = {0};
#pragma omp parallel loop
    for (int i = 0; i < N; i++)
        v[i] = v[i + 1] + 1;
    printf("%d\n", v[0]);
    return 0;
}
