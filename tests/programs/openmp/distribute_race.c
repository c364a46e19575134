//@ verdict: race
//@ race: v[*] 12 12
//@ about: teams distribute: neighbours may belong to different teams
#include <stdio.h>
#define N 200

int main(void)
{
    int v[N + 1] = {0};
#pragma omp teams distribute num_teams(2)
    for (int i = 0; i < N; i++)
        v[i + 1] = v[i] + 1;
    printf("%d\n", v[N]);
    return 0;
}
