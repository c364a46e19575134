//@ verdict: race
//@ race: last[*] 19 19
//@ about: every iteration notes its thread, and another loop uses that as an index
#include <omp.h>
#include <stdio.h>
#define N 200

static int owner[N], last[64];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            owner[i] = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            last[owner[i]] = i;
    }
    printf("%d\n", last[0]);
    return 0;
}
