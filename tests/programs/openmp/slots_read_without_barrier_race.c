//@ verdict: race
//@ race: part[0] 17 20
//@ about: the slots of all threads are added up behind a loop without its barrier
#include <omp.h>
#include <stdio.h>
#define N 100

static long part[64], total[N];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++)
            part[me] += i;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            total[i] = part[0];
    }
    printf("%ld\n", total[7]);
    return 0;
}
