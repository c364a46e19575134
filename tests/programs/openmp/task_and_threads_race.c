//@ verdict: race
//@ race: v[*] 16 20
//@ about: a task created by one thread, while the others run on in the region
#include <stdio.h>
#define N 50

int main(void)
{
    int v[N] = {0};
#pragma omp parallel
    {
#pragma omp master
        {
#pragma omp task
            for (int i = 0; i < N; i++)
                v[i] = i;
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            v[i] *= 2;
    }
    printf("%d\n", v[0]);
    return 0;
}
