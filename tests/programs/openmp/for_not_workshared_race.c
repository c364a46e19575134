//@ verdict: race
//@ race: v[*] 13 13
//@ about: parallel without for: every thread runs the whole loop
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N] = {0};
#pragma omp parallel
    {
        for (int i = 0; i < N; i++)
            v[i]++;
    }
    printf("%d\n", v[0]);
    return 0;
}
