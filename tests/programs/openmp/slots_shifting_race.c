//@ verdict: race
//@ race: part[*] 14 14
//@ about: a slot that depends on thread and iteration
#include <omp.h>
#include <stdio.h>
#define N 99

static long part[3];

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < N; i++)
        part[(omp_get_thread_num() + i) % 3] += i;
    printf("%ld\n", part[0]);
    return 0;
}
