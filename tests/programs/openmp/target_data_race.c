//@ verdict: race
//@ race: v[*] 14 14
//@ about: target data: the region inside has a dependence between iterations
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N + 1] = {0};
#pragma omp target data map(tofrom : v)
    {
#pragma omp target teams distribute parallel for num_teams(2) num_threads(2)
        for (int i = 0; i < N; i++)
            v[i] = v[i + 1] + 1;
    }
    printf("%d\n", v[0]);
    return 0;
}
