//@ verdict: race
//@ race: load[*] 18 18
//@ about: the thread that ran an iteration is remembered, but any thread counts for it in the next loop
#include <omp.h>
#include <stdio.h>
#define N 100

int main(void)
{
    int owner[N], load[64] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            owner[i] = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            load[owner[i]]++;
    }
    printf("%d\n", load[0]);
    return 0;
}
