//@ verdict: race
//@ race: v[*] 13 13
//@ about: teams distribute simd with one team: the lanes still run together
#include <stdio.h>
#define N 200

int main(void)
{
    int v[N + 1] = {0};
#pragma omp teams distribute simd num_teams(1)
    for (int i = 0; i < N; i++)
        v[i + 1] = v[i] + 1;
    printf("%d\n", v[N]);
    return 0;
}
