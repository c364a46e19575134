//@ verdict: race
//@ race: v[*] 14 17
//@ about: distribute has no barrier at its end, and teams cannot wait for each other
#include <stdio.h>
#define N 200

int main(void)
{
    int v[N] = {0}, w[N] = {0};
#pragma omp teams num_teams(2)
    {
#pragma omp distribute
        for (int i = 0; i < N; i++)
            v[i] = i;
#pragma omp distribute
        for (int i = 0; i < N; i++)
            w[i] = v[N - 1 - i];
    }
    printf("%d\n", w[0]);
    return 0;
}
